/** Whether what is sent to a host stays on this machine, and goes through no proxy. As URL writes it: [::ffff:7f00:1] is 127.0.0.1. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

const loopback =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/i;
