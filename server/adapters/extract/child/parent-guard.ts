// A thread that ends the child process once its parent is gone, even while a parser blocks the main thread.
import { workerData } from 'node:worker_threads';

const { parent } = workerData as { parent: number };
const EVERY_MS = 500;

// An orphan gets another parent. Windows does not do that; there the closed channel ends the child.
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
