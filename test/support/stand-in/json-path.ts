/** The steps of a path in an error: `actions[0].schema["odd name"]`. */
export function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index !== undefined ? Number(index) : quoted !== undefined ? JSON.parse(`"${quoted}"`) : name!,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: walks arbitrary JSON
type Json = any

export function read(root: Json, steps: (string | number)[]): unknown {
  return steps.reduce((node: Json, step) => node?.[step], root)
}

/** Creates the objects on the way. */
export function write(root: Json, steps: (string | number)[], value: unknown): void {
  let node = root
  for (const step of steps.slice(0, -1)) {
    node[step] ??= {}
    node = node[step]
  }
  node[steps.at(-1)!] = value
}

export function remove(root: Json, steps: (string | number)[]): void {
  const parent: Json = read(root, steps.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(Number(steps.at(-1)), 1)
  else delete parent?.[steps.at(-1)!]
}
