import { z } from 'zod'
import { Email } from './field.ts'
import { WorkspaceId } from './ids.ts'
import { Password, PersonName, WorkspaceName } from './workspace.ts'

export const SetUpStatus = z.object({
  needed: z.boolean(),
  resetsByMail: z.boolean().meta({
    description: 'Whether forgotten passwords can be reset by email, unless `passwordSignIn` is false.',
  }),
  passwordSignIn: z.boolean().meta({ description: 'false: people sign in only with single sign-on.' }),
  singleSignOn: z.string().optional().meta({
    description: 'The name of the identity provider. Left out if none is configured.',
  }),
})
export type SetUpStatus = z.infer<typeof SetUpStatus>

/** Creates the first owner with the link that every start prints until there is a workspace. */
export const SetUp = z.strictObject({
  token: z.string().min(1).max(200),
  workspace: WorkspaceName,
  name: PersonName,
  email: Email,
  password: Password,
})
export type SetUp = z.infer<typeof SetUp>
export const SetUpDone = z.object({ workspaceId: WorkspaceId, email: z.string() })
export type SetUpDone = z.infer<typeof SetUpDone>
