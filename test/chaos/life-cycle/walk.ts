import fc from 'fast-check'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { agentSteps } from './agent-steps.ts'
import { conversationSteps } from './conversation-steps.ts'
import { createSteps } from './create-steps.ts'
import { lookAtAll } from './final-comparison.ts'
import { nothingYet } from './model.ts'
import { peopleSteps } from './people-steps.ts'
import { raceSteps } from './race-steps.ts'
import { reviewSteps } from './review-steps.ts'
import { makeWorld, startingGroup } from './world.ts'

/**
 * Random walks through the life cycle of tasks at two nodes. Each step and the final state are
 * compared with a model. A failure prints the shortest failing walk that was found within
 * `seconds`.
 */
export async function walkLifeCycle(
  service: TestService,
  urls: [string, string],
  { walks, steps, seconds }: { walks: number; steps: number; seconds: number },
): Promise<void> {
  const seed = Number(process.env.WALK_SEED ?? Date.now() % 2 ** 31)
  const receiver = await startReceiver()
  const commands = fc.commands(
    [...createSteps, ...agentSteps, ...peopleSteps, ...conversationSteps, ...reviewSteps, ...raceSteps],
    {
      maxCommands: steps,
      size: 'max',
    },
  )
  console.log(`life cycle: ${walks} walks of up to ${steps} steps; the same again with WALK_SEED=${seed}`)
  try {
    await fc.assert(
      fc.asyncProperty(commands, async (chosen) => {
        const world = await makeWorld({
          urls,
          receiver,
          databaseUrl: service.databaseUrl,
          workspace: await service.workspace(),
        })
        const model = nothingYet(startingGroup(world.people))
        await fc.asyncModelRun(() => ({ model, real: world }), chosen)
        await lookAtAll(model, world, urls)
      }),
      // Unbiased: otherwise the first walks have only a few steps.
      { numRuns: walks, seed, interruptAfterTimeLimit: seconds * 1_000, unbiased: true },
    )
  } finally {
    await receiver.stop()
  }
}
