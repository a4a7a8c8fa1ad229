let folder: string | undefined

/** Makes services that start from now on write a CPU profile when they exit. */
export function profileInto(path: string): void {
  folder = path
}

/** Node flags for measured services. */
export function profilerFlags(): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}
