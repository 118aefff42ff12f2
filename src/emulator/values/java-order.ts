/** Names in the order in which a hash map of Java hands them out, having been put there in the order given. */
export function sortAsJava<T>(entries: Iterable<readonly [string, T]>): [string, T][] {
  const all = [...entries];
  let size = 16;
  while (all.length > size * 0.75) size *= 2;
  const bucket = (name: string): number => {
    const hash = javaHash(name);
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return all.map(([name, value]): [string, T] => [name, value]).sort(([a], [b]) => bucket(a) - bucket(b));
}

function javaHash(name: string): number {
  let hash = 0;
  for (let index = 0; index < name.length; index++) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
  return hash;
}
