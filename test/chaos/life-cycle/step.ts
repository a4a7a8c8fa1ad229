import fc from 'fast-check'
import type { Model, ModelTask } from './model.ts'
import type { World } from './world.ts'

export type Step = fc.AsyncCommand<Model, World>

/** One step of a walk. `take` tells in words what it does as soon as it knows, so that a failure reads as a story. */
export function step(
  kind: string,
  take: (model: Model, world: World, tell: (words: string) => void) => Promise<void>,
  mayBeTaken: (model: Model) => boolean = () => true,
): Step {
  let told = kind
  const taken = {
    check: mayBeTaken,
    run: (model: Model, world: World) =>
      take(model, world, (words) => {
        told = words
      }),
    // A line each.
    toString: () => `\n  ${told}`,
    // A walk that is shortened takes its steps again, and they must not tell of the other walk.
    [fc.cloneMethod]: () => step(kind, take, mayBeTaken),
  }
  return taken
}

export function someTask({ tasks }: Model): boolean {
  return tasks.length > 0
}

/** A number below any bound names one of them. */
export function pickTask(tasks: ModelTask[], number: number): ModelTask {
  return tasks[number % tasks.length]!
}
