// Loaded before the program by `node --require`: leaves what the process took behind, as nothing else tells it of a child
// on every system. Floor and product are run alike, so its cost cancels out.
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = { user: userCPUTime / 1e3, system: systemCPUTime / 1e3, rss: (maxRSS * 1024) / 1e6 };
  require("node:fs").writeFileSync(process.env.BENCH_USAGE, JSON.stringify(used));
});
