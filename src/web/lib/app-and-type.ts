/** What statistics, analyses and rules group tasks by. */
export type AppAndType = { app: string; type: string }
