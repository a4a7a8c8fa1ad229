let folder: string | undefined

/** From now on services write a CPU profile there when they end. */
export function profileInto(path: string): void {
  folder = path
}

/** Flags of Node for a service of the bench. */
export function profilerFlags(): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}
