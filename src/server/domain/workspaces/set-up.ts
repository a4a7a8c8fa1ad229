import { createHmac } from 'node:crypto'
import type { SetUp, SetUpDone } from '../../../contract/set-up.ts'
import { sameText } from '../../lib/same-text.ts'
import { findPersonByEmail, withSetUpLock } from '../../storage/people/people.ts'
import { hasWorkspaces } from '../../storage/people/workspaces.ts'
import { forbidden } from '../problems.ts'
import type { Service } from '../service.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Device } from './person.ts'
import { signInWithNewPassword } from './sign-in-with-new-password.ts'

/**
 * The token of the setup link. It is the same on every node and after a restart, and is no longer
 * accepted once a workspace exists.
 */
export function setUpToken(authSecret: string): string {
  return createHmac('sha256', authSecret).update('handrail:set-up').digest('base64url')
}

export async function isSetUpNeeded({ database }: Pick<Service, 'database'>): Promise<boolean> {
  return !(await hasWorkspaces(database))
}

/** Creates the first owner and the first workspace, and signs the owner in. */
export async function setUp(
  service: Service,
  input: SetUp,
  device: Device,
): Promise<{ done: SetUpDone; cookies: string[] }> {
  if (!(await isSetUpNeeded(service))) throw alreadySetUp()
  if (!sameText(input.token, setUpToken(service.secrets.authSecret))) {
    throw forbidden(
      "This setup link is not valid. Use the link in the service's log: every start prints it again.",
    )
  }
  const done = await withSetUpLock(service.database, async () => {
    if (!(await isSetUpNeeded(service))) throw alreadySetUp()
    const userId = await createOwner(service, input)
    const { workspaceId } = await createWorkspace(service, input.workspace, {
      userId,
      role: 'owner',
      from: device.from,
    })
    return { userId, workspaceId, email: input.email }
  })
  if (!done) throw forbidden('Someone else is setting up Handrail right now. Reload the page in a minute.')
  const { userId, ...shown } = done
  const cookies = await signInWithNewPassword(
    service,
    { id: userId, email: input.email },
    input.password,
    device,
  )
  return { done: shown, cookies }
}

/**
 * Creates the first owner. If an interrupted setup has already created a person with this address,
 * gives that person the name and password of this attempt.
 */
async function createOwner(service: Service, input: SetUp): Promise<string> {
  const { database, people } = service
  const existing = await findPersonByEmail(database, input.email)
  // The link was printed in the service's log, so its holder is trusted like the command line.
  if (!existing)
    return (await people.create({ ...input, emailVerified: true })) ?? (await createOwner(service, input))
  await people.setPassword(existing.id, input.password)
  await people.rename(existing.id, input.name)
  await people.markVerified(existing.id)
  return existing.id
}

function alreadySetUp() {
  return forbidden('Handrail is already set up. Sign in, or ask an admin for an invitation.')
}
