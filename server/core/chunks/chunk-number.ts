// The arithmetic of chunk numbers. A container holds one range of numbers: chunks in its lower half, memories in its upper.

/** The container is in the high bits, so that its rows lie together on disk. */
export const CONTAINER_SPAN = 2 ** 28;
export const containerOfNumber = (n: number): number => Math.floor(n / CONTAINER_SPAN);

/** The first number of a container that belongs to a memory, counted from the start of its range. */
export const MEMORY_OFFSET = 2 ** 27;
export const isMemoryNumber = (n: number): boolean => n % CONTAINER_SPAN >= MEMORY_OFFSET;
