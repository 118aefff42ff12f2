import { execFileSync } from "node:child_process";

/** The folder as a repository of one commit more, which has all of its files. */
export function commitAll(folder: string): void {
  const author = ["-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  const commit = ["commit", "--quiet", "--allow-empty", "-m", "x"];
  for (const words of [["init", "--quiet"], ["add", "--all"], commit])
    execFileSync("git", [...author, ...words], { cwd: folder, env, stdio: "pipe" });
}
