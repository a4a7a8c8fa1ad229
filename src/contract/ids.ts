import { z } from 'zod'
import { idPattern } from './id-pattern.ts'

export const idPrefixes = {
  task: 'tsk_',
  workspace: 'wsp_',
  apiKey: 'key_',
  event: 'evt_',
  delivery: 'dlv_',
  analysis: 'anl_',
  update: 'upd_',
  question: 'qst_',
  note: 'nte_',
  invitation: 'inv_',
  person: 'usr_',
  audit: 'aud_',
  oauthClient: 'cli_',
  grant: 'grt_',
  group: 'grp_',
  policy: 'pol_',
  rule: 'rul_',
  pushSubscription: 'psh_',
  slackChannel: 'slc_',
} as const

function publicId(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}${idPattern}$`), {
    error: ({ input }) => {
      // A link or URI often contains the id.
      const found = new RegExp(`${prefix}${idPattern}`).exec(String(input).slice(0, 4_000))?.[0]
      return found
        ? `Must be the id alone. Send for example "${found}".`
        : `Must be an id such as ${prefix}01k9ztqv7e4m8c2n5w6x3y0abd.`
    },
  })
}

export const TaskId = publicId(idPrefixes.task).describe('Id that send_to_human returned.')
export const QuestionId = publicId(idPrefixes.question)
export const WorkspaceId = publicId(idPrefixes.workspace)
export const ApiKeyId = publicId(idPrefixes.apiKey)
export const GrantId = publicId(idPrefixes.grant)
export const InvitationId = publicId(idPrefixes.invitation)
export const GroupId = publicId(idPrefixes.group)
export const PolicyId = publicId(idPrefixes.policy)
export const RuleId = publicId(idPrefixes.rule)
export const PushSubscriptionId = publicId(idPrefixes.pushSubscription)
export const PersonId = publicId(idPrefixes.person)
export const AnalysisId = publicId(idPrefixes.analysis)
export const DeliveryId = publicId(idPrefixes.delivery)
