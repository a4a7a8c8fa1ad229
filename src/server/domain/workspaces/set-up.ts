import { createHmac } from 'node:crypto'
import type { SetUp, SetUpDone } from '../../../contract/workspace.ts'
import { sameText } from '../../lib/same-text.ts'
import { findPersonByEmail, withSetUpLock } from '../../storage/people/people.ts'
import { hasWorkspaces } from '../../storage/people/workspaces.ts'
import { forbidden } from '../problems.ts'
import type { Service } from '../service.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Device } from './people.ts'
import { signInNew } from './sign-in-new.ts'

/** The same on every node and after a restart; worth nothing once the first owner exists. */
export function setUpToken(authSecret: string): string {
  return createHmac('sha256', authSecret).update('handrail:set-up').digest('base64url')
}

export async function setUpIsNeeded({ database }: Pick<Service, 'database'>): Promise<boolean> {
  return !(await hasWorkspaces(database))
}

/** Makes the first owner and the first workspace. Gives the cookies of the owner's session. */
export async function setUp(
  service: Service,
  input: SetUp,
  device: Device,
): Promise<{ done: SetUpDone; cookies: string[] }> {
  if (!(await setUpIsNeeded(service))) throw alreadySetUp()
  if (!sameText(input.token, setUpToken(service.secrets.authSecret))) {
    throw forbidden('This set-up link is not valid. Use the link that the service printed when it started.')
  }
  const done = await withSetUpLock(service.database, async () => {
    if (!(await setUpIsNeeded(service))) throw alreadySetUp()
    const userId = await firstPerson(service, input)
    const { workspaceId } = await createWorkspace(service, input.workspace, {
      userId,
      role: 'owner',
      from: device.from,
    })
    return { userId, workspaceId, email: input.email }
  })
  if (!done) throw forbidden('Somebody is setting Handrail up right now.')
  const { userId, ...shown } = done
  const cookies = await signInNew(service, { id: userId, email: input.email }, input.password, device)
  return { done: shown, cookies }
}

/** A set-up that was cut short leaves a person in no workspace behind, who may begin again. */
async function firstPerson(service: Service, input: SetUp): Promise<string> {
  const { database, people } = service
  const known = await findPersonByEmail(database, input.email)
  // The link was printed where the operator reads: whoever has it is trusted like the command line.
  if (!known)
    return (await people.create({ ...input, emailVerified: true })) ?? (await firstPerson(service, input))
  await people.setPassword(known.id, input.password)
  await people.markVerified(known.id)
  return known.id
}

function alreadySetUp() {
  return forbidden('Handrail is set up already. Sign in, or ask a colleague for an invitation.')
}
