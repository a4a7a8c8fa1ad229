import fc from 'fast-check'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { agentSteps } from './agent-steps.ts'
import { createSteps } from './create-steps.ts'
import { lookAtAll } from './last-look.ts'
import { nothingYet } from './model.ts'
import { peopleSteps } from './people-steps.ts'
import { raceSteps } from './race-steps.ts'
import { makeWorld } from './world.ts'

/**
 * Random walks through the life of tasks, on two nodes, each step and the end compared with a model. A failure tells its
 * seed and the shortest walk that still fails; give both to this function to see it again.
 */
export async function walkLifeCycle(
  service: TestService,
  urls: [string, string],
  {
    walks,
    steps,
    seed = Date.now() % 2 ** 31,
    path,
  }: { walks: number; steps: number; seed?: number; path?: string },
): Promise<void> {
  const receiver = await startReceiver()
  const commands = fc.commands([...createSteps, ...agentSteps, ...peopleSteps, ...raceSteps], {
    maxCommands: steps,
    size: 'max',
  })
  console.log(`life cycle: ${walks} walks of up to ${steps} steps, seed ${seed}`)
  try {
    await fc.assert(
      fc.asyncProperty(commands, async (chosen) => {
        const model = nothingYet()
        const world = await makeWorld({
          urls,
          receiver,
          databaseUrl: service.databaseUrl,
          workspace: await service.workspace(),
        })
        await fc.asyncModelRun(() => ({ model, real: world }), chosen)
        await lookAtAll(model, world, urls)
      }),
      { numRuns: walks, seed, ...(path !== undefined && { path }), interruptAfterTimeLimit: 10 * 60_000 },
    )
  } finally {
    await receiver.stop()
  }
}
