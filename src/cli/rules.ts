import { pauseAllRules } from '../server/domain/rules/rules.ts'
import { operator } from '../server/domain/workspaces/operator.ts'
import { parseArguments, UsageError } from './arguments.ts'
import { findWorkspaceId, print, withService } from './with-service.ts'

/** The emergency stop for all rules. Single rules are changed in the web app. */
export async function rules(argv: string[]): Promise<number> {
  const { flags, positionals } = parseArguments(argv, ['workspace'])
  if (positionals.join(' ') !== 'pause-all') throw new UsageError('Expected `rules pause-all`.')
  await withService(async (service) => {
    const workspaceId = await findWorkspaceId(service, flags.workspace as string | undefined)
    const result = await pauseAllRules(service, operator(workspaceId))
    const text =
      result.paused === 0
        ? 'No rule is active.'
        : result.paused === 1
          ? '1 rule was paused. Its tasks go to people now.'
          : `${result.paused} rules were paused. Their tasks go to people now.`
    print(flags, result, [text])
  })
  return 0
}
