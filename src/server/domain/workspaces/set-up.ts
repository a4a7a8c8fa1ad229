import { createHmac } from 'node:crypto'
import type { SetUp, SetUpDone } from '../../../contract/workspace.ts'
import { sameText } from '../../lib/same-text.ts'
import { hasPeople, withSetUpLock } from '../../storage/people.ts'
import { forbidden } from '../problems.ts'
import type { Service } from '../service.ts'
import { createWorkspace } from './create-workspace.ts'

/** The same on every node and after a restart; worth nothing once the first owner exists. */
export function setUpToken(authSecret: string): string {
  return createHmac('sha256', authSecret).update('handrail:set-up').digest('base64url')
}

export async function setUpIsNeeded({ database }: Pick<Service, 'database'>): Promise<boolean> {
  return !(await hasPeople(database))
}

/** Makes the first owner and the first workspace. Gives the cookies of the owner's session. */
export async function setUp(
  service: Service,
  input: SetUp,
  from: string,
): Promise<{ done: SetUpDone; cookies: string[] }> {
  const done = await withSetUpLock(service.database, async () => {
    if (!(await setUpIsNeeded(service))) {
      throw forbidden('Handrail is set up already. Sign in, or ask a colleague for an invitation.')
    }
    if (!sameText(input.token, setUpToken(service.secrets.authSecret))) {
      throw forbidden('This set-up link is not valid. Use the link that the service printed when it started.')
    }
    const userId = await service.people.create(input)
    const { workspaceId } = await createWorkspace(service, input.workspace, { userId, role: 'owner', from })
    return { workspaceId, email: input.email }
  })
  return { done, cookies: await service.people.signIn(input.email, input.password) }
}
