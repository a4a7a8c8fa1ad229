import { fillWithDemo } from '../server/domain/demo/fill-workspace.ts'
import { parseFlags, UsageError } from './arguments.ts'
import { findWorkspaceId, operator, print, withService } from './with-service.ts'

export async function demo(argv: string[]): Promise<number> {
  const { flags, words } = parseFlags(argv, ['workspace'])
  if (words.length > 0) throw new UsageError(`"${words[0]}" is not understood here.`)
  const filled = await withService(async (service) =>
    fillWithDemo(service, operator(await findWorkspaceId(service, flags.workspace as string | undefined))),
  )
  const { ended, open, pairs, people, statisticsUrl, inboxUrl } = filled
  print(flags, filled, [
    `${ended.toLocaleString('en')} tasks of the last 30 days, answered by ${people.join(', ')}:`,
    ...pairs.map(({ app, type, tasks }) => `  ${tasks.toLocaleString('en').padStart(5)}  ${app} / ${type}`),
    `${open} tasks are open, every widget of the gallery among them.`,
    '',
    `Inbox       ${inboxUrl}`,
    `Statistics  ${statisticsUrl}`,
    'One release is worse than the others: choose support-agent / refund-approval there, then Analyze feedback.',
    'Pages that are open now must be loaded again.',
  ])
  return 0
}
