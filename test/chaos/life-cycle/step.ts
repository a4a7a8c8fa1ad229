import fc from 'fast-check'
import type { Model, ModelTask } from './model.ts'
import type { World } from './world.ts'

export type Step = fc.AsyncCommand<Model, World>

/** One step of a walk. `take` logs what it does, so that a failure can be read as a list of steps. */
export function step(
  kind: string,
  take: (model: Model, world: World, log: (words: string) => void) => Promise<void>,
  mayBeTaken: (model: Model) => boolean = () => true,
): Step {
  let told = kind
  const taken = {
    check: mayBeTaken,
    run: (model: Model, world: World) =>
      take(model, world, (words) => {
        told = words
      }),
    // One line per step.
    toString: () => `\n  ${told}`,
    // A shortened walk runs its steps again, without the log of the original walk.
    [fc.cloneMethod]: () => step(kind, take, mayBeTaken),
  }
  return taken
}

export function someTask({ tasks }: Model): boolean {
  return tasks.length > 0
}

/** Index of a person of the world. */
export const anyone = fc.nat(3)

/** Selects one of the items by any number. */
export function pickTask(tasks: ModelTask[], number: number): ModelTask {
  return tasks[number % tasks.length]!
}
