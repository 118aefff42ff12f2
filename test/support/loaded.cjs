// Loaded before the program by `node --require`: tells on file descriptor 2, when it ends, what it has loaded.
const before = new Set(process.moduleLoadList);
process.on("exit", () => {
  const parts = process.moduleLoadList.filter((name) => !before.has(name) && /^NativeModule (?!internal)/.test(name));
  const explained = {
    files: Object.keys(require.cache),
    parts: parts.map((name) => name.replace("NativeModule ", "")),
  };
  require("node:fs").writeSync(2, JSON.stringify(explained));
});
