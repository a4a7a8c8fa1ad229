import { randomBytes } from 'node:crypto'
import type { AuditAction } from '../../../contract/audit.ts'
import type { Role } from '../../../contract/workspace.ts'
import { open } from '../../lib/sealed-text.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { listWebhookSecrets } from '../../storage/delivery/webhook-secrets.ts'
import { findMember, insertMember } from '../../storage/people/members.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import { findWorkspacesByName as findByName, listAllWorkspaces } from '../../storage/people/workspaces.ts'
import { findTaskWorkspace } from '../../storage/tasks/tasks.ts'
import type { OperatorActor, PersonActor } from '../actor.ts'
import { revokeStandingAccess } from '../oauth/connected-apps.ts'
import { DomainProblem, invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { createApiKey } from './api-keys.ts'
import { auditPerson } from './audit-person.ts'
import { createWorkspace } from './create-workspace.ts'

// Operations of the command line, for the operator of the service.

const from = 'command line'

export function operator(workspaceId: string): OperatorActor {
  return { kind: 'operator', workspaceId, id: 'service', from }
}

export function findWorkspacesByName({ database }: Service, name: string): Promise<{ id: string }[]> {
  return findByName(database, name)
}

export function listWorkspaces({ database }: Service): Promise<{ id: string; name: string }[]> {
  return listAllWorkspaces(database)
}

export type WorkspaceSetUp = { workspaceId: string; email: string; apiKey: string; webhookSecret: string }

/**
 * Creates a workspace and its owner, or adds the person to the workspace with this name. Each call
 * creates an API key.
 */
export async function setUpWorkspace(
  service: Service,
  input: { workspace: string; email: string; password: string; name: string },
): Promise<WorkspaceSetUp> {
  const existing = await findByName(service.database, input.workspace)
  if (existing.length > 1)
    throw new DomainProblem(
      'invalid_request',
      `Several workspaces are named "${input.workspace}". Choose another name.`,
    )
  const userId = await findOrCreatePerson(service, input)
  const workspaceId =
    existing[0]?.id ??
    (await createWorkspace(service, input.workspace, { userId, role: 'owner', from })).workspaceId
  if (existing[0]) await joinAsMember(service, workspaceId, userId)
  const { key } = await createApiKey(service, operator(workspaceId), { name: 'setup' })
  return {
    workspaceId,
    email: input.email,
    apiKey: key,
    webhookSecret: await currentWebhookSecret(service, workspaceId),
  }
}

async function joinAsMember({ database }: Service, workspaceId: string, userId: string): Promise<void> {
  await database.inWorkspace(workspaceId, async (tx) => {
    if (!(await insertMember(tx, userId, 'member'))) return
    await appendAudit(tx, {
      actor: 'service',
      from,
      action: 'member.joined',
      subject: userId,
      details: { role: 'member' },
    })
  })
}

/** For an existing person the password must be correct: setup does not change it. */
async function findOrCreatePerson(
  service: Service,
  input: { email: string; password: string; name: string },
): Promise<string> {
  const { database, people } = service
  const existing = await findPersonByEmail(database, input.email)
  if (!existing)
    return (
      (await people.create({ ...input, emailVerified: true })) ?? (await findOrCreatePerson(service, input))
    )
  if (await people.isCurrentPassword(existing.id, input.password)) return existing.id
  throw invalidRequest([
    {
      path: 'password',
      message:
        'This person already exists, with a different password or none. Pass their existing password, or set one with `handrail password-reset`.',
    },
  ])
}

async function currentWebhookSecret({ database, secrets }: Service, workspaceId: string): Promise<string> {
  const [newest] = await database.inWorkspace(workspaceId, listWebhookSecrets)
  return open(newest!.sealed, secrets.encryptionKey, workspaceId)
}

/**
 * Sets a new password without asking for the old one. Ends the person's sessions, and what outlives
 * them: connected apps, the Slack link and push subscriptions.
 */
export async function resetPasswordAsOperator(
  service: Service,
  email: string,
  { newPassword, disableTwoFactor }: { newPassword?: string | undefined; disableTwoFactor: boolean },
): Promise<{ password: string; hadTwoFactor: boolean }> {
  const { people } = service
  const person = await requirePerson(service, email)
  const password = newPassword ?? randomBytes(15).toString('base64url')
  await people.setPassword(person.id, password)
  // After setPassword has ended the sessions: a session could connect an app again.
  await revokeStandingAccess(service, person.id, { actor: 'service', from }, 'password reset')
  const audit = (action: AuditAction) => auditPerson(service, person.id, { actor: 'service', from, action })
  await audit('member.password_reset')
  const hadTwoFactor = disableTwoFactor && (await people.disableTwoFactor(person.id))
  if (hadTwoFactor) await audit('member.two_factor_disabled')
  return { password, hadTwoFactor }
}

/**
 * The operator confirms that the address belongs to the person who uses the account. Password and
 * sessions do not change.
 */
export async function verifyPerson(service: Service, email: string): Promise<{ wasVerified: boolean }> {
  const person = await requirePerson(service, email)
  if (person.emailVerified) return { wasVerified: true }
  await service.people.markVerified(person.id)
  await auditPerson(service, person.id, { actor: 'service', from, action: 'member.verified' })
  return { wasVerified: false }
}

export async function requirePerson({ database }: Service, email: string) {
  const person = await findPersonByEmail(database, email)
  if (person) return person
  throw new DomainProblem('not_found', `No person has the email address ${email}. Check the spelling.`)
}

/** The actor with which the operator answers this task on behalf of a member. */
export async function actorOnBehalfOf(
  { database }: Service,
  email: string,
  taskId: string,
): Promise<PersonActor> {
  const workspaceId = await findTaskWorkspace(database, taskId)
  if (!workspaceId) throw new DomainProblem('not_found', 'There is no such task. Check the id.')
  const person = await findPersonByEmail(database, email)
  const member = person && (await database.inWorkspace(workspaceId, (tx) => findMember(tx, person.id)))
  if (!member)
    throw new DomainProblem(
      'not_found',
      `${email} is not a member of the task's workspace. Check the spelling, or name someone who is.`,
    )
  return {
    kind: 'person',
    workspaceId,
    id: member.userId,
    email,
    emailVerified: member.emailVerified,
    name: member.name,
    role: member.role as Role,
    from,
    via: 'cli',
  }
}
