import { availableParallelism } from 'node:os'

/**
 * How many threads DuckDB has in a child process for filters and CSV files. With one, both took about 1.8 times as long on
 * 2 cores. More than four is too much for one caller; the processes give way to the server.
 */
export const engineThreads = String(Math.min(4, availableParallelism()))
