// Notices that the npm which started memoir has ended. npm signals only the shell between them, and many shells end
// without passing the signal on; memoir would then go on with nobody to stop it.
// Plain JavaScript that Node 14 and newer can read, because it runs before the version of Node is checked.
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;

/** The script of npm or npx is this command, and not a program that started this command on its own. */
const isScriptOfNpm = () =>
  /(^|[\s/\\"'])memoir(\.js)?(["'\s]|$)/.test(process.env.npm_lifecycle_script || '');

const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The parent of a process; undefined: the process has ended, or the system is not Linux. */
const parentOf = (pid) => {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
};

const isShell = (pid) => textOf(`/proc/${pid}/cmdline`).split('\0')[1] === '-c';

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** On Windows a process keeps the number of its parent after the parent has ended. */
const isParent = (pid) => process.ppid === pid && (process.platform !== 'win32' || isAlive(pid));

/** Calls `onEnd` once when npm, or the shell that it started, has ended. Without npm it never calls. */
export const onNpmEnd = (onEnd) => {
  if (!isScriptOfNpm()) return;
  const parent = process.ppid;
  const npm = isShell(parent) ? parentOf(parent) : undefined;
  const look = setInterval(() => {
    if (isParent(parent) && (npm === undefined || parentOf(parent) === npm)) return;
    clearInterval(look);
    onEnd();
  }, LOOK_MS);
  look.unref();
};
