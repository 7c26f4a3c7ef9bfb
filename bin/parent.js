// Ends this process when the shell that npm started it in is gone: npm ends its shell with SIGTERM, and the shell passes no
// signal on.

const LOOK_MS = 250;

/** Has no effect outside npm, where a parent may end on purpose, nor on Windows, which gives orphans no new parent. */
export const endWithShellOfNpm = () => {
  if (process.env.npm_execpath === undefined) return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  look.unref();
};
