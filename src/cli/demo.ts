import { fillWithSamples } from '../server/domain/demo/fill-workspace.ts'
import { operator } from '../server/domain/workspaces/operator.ts'
import { parseFlags } from './arguments.ts'
import { formatCount } from './show-progress.ts'
import { findWorkspaceId, print, withService } from './with-service.ts'

export async function demo(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, ['workspace'])
  const filled = await withService(async (service) =>
    fillWithSamples(service, operator(await findWorkspaceId(service, flags.workspace as string | undefined))),
  )
  const { ended, open, waitingForAgent, pairs, people, statisticsUrl, inboxUrl } = filled
  print(flags, filled, [
    `Created ${formatCount(ended)} ended tasks of the last 30 days, with answers by ${people.join(', ')}:`,
    ...pairs.map(({ app, type, tasks }) => `  ${formatCount(tasks).padStart(5)}  ${app} / ${type}`),
    `Created ${open} open tasks, ${waitingForAgent} of them waiting for the agent.`,
    'They include the tasks of the Examples page, except those with a review.',
    '',
    `Inbox       ${inboxUrl}`,
    `Statistics  ${statisticsUrl}`,
    'One release is worse than the others: select support-agent / refund-approval on the Statistics page, then Analyze feedback.',
    'Reload any page that is already open.',
  ])
  return 0
}
