import { randomBytes } from 'node:crypto'
import type { AuditAction } from '../../../contract/audit.ts'
import type { Role } from '../../../contract/workspace.ts'
import { open } from '../../lib/sealed-text.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { findMember, insertMember } from '../../storage/people/members.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import {
  findWorkspacesByName as findByName,
  listAllWorkspaces,
  listWebhookSecrets,
} from '../../storage/people/workspaces.ts'
import { taskWorkspace } from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { DomainProblem, invalidRequest, notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { createApiKey } from './api-keys.ts'
import { auditPerson } from './audit-person.ts'
import { createWorkspace } from './create-workspace.ts'

// What the one who runs the machine may do at its command line.

const from = 'command line'

export function findWorkspacesByName({ database }: Service, name: string): Promise<{ id: string }[]> {
  return findByName(database, name)
}

export function listWorkspaces({ database }: Service): Promise<{ id: string; name: string }[]> {
  return listAllWorkspaces(database)
}

export type WorkspaceSetUp = { workspaceId: string; email: string; apiKey: string; webhookSecret: string }

/** A new workspace with its owner; with a known name, the person joins it as a member. Each call gives a fresh API key. */
export async function setUpWorkspace(
  service: Service,
  input: { workspace: string; email: string; password: string; name: string },
): Promise<WorkspaceSetUp> {
  const known = await findByName(service.database, input.workspace)
  if (known.length > 1)
    throw new DomainProblem('invalid_request', `Several workspaces are called "${input.workspace}".`)
  const userId = await personWith(service, input)
  const workspaceId =
    known[0]?.id ??
    (await createWorkspace(service, input.workspace, { userId, role: 'owner', from })).workspaceId
  if (known[0]) await joinAsMember(service, workspaceId, userId)
  const operator = { kind: 'operator', workspaceId, id: 'service', from } as const
  const { key } = await createApiKey(service, operator, { name: 'set-up' })
  return {
    workspaceId,
    email: input.email,
    apiKey: key,
    webhookSecret: await newestSecret(service, workspaceId),
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

/** The password of someone who exists must be theirs: set-up is no way to change it. */
async function personWith(
  service: Service,
  input: { email: string; password: string; name: string },
): Promise<string> {
  const { database, people } = service
  const known = await findPersonByEmail(database, input.email)
  if (!known)
    return (await people.create({ ...input, emailVerified: true })) ?? (await personWith(service, input))
  if (await people.passwordIs(known.id, input.password)) return known.id
  throw invalidRequest([
    {
      path: 'password',
      message: 'This person exists and has another password. Use handrail password-reset.',
    },
  ])
}

async function newestSecret({ database, secrets }: Service, workspaceId: string): Promise<string> {
  const [newest] = await database.inWorkspace(workspaceId, listWebhookSecrets)
  return open(newest!.sealed, secrets.encryptionKey, workspaceId)
}

export async function resetPassword(
  service: Service,
  email: string,
  { given, disableTwoFactor }: { given?: string | undefined; disableTwoFactor: boolean },
): Promise<{ password: string; hadTwoFactor: boolean }> {
  const { database, people } = service
  const person = await findPersonByEmail(database, email)
  if (!person) throw new DomainProblem('not_found', `There is no person with the address ${email}.`)
  const password = given ?? randomBytes(15).toString('base64url')
  await people.setPassword(person.id, password)
  const audit = (action: AuditAction) => auditPerson(service, person.id, { actor: 'service', from, action })
  await audit('member.password_reset')
  const hadTwoFactor = disableTwoFactor && (await people.disableTwoFactor(person.id))
  if (hadTwoFactor) await audit('member.two_factor_disabled')
  return { password, hadTwoFactor }
}

/** The operator vouches for whoever uses the account now; nothing of it changes. */
export async function verifyPerson(service: Service, email: string): Promise<{ wasVerified: boolean }> {
  const { database, people } = service
  const person = await findPersonByEmail(database, email)
  if (!person) throw new DomainProblem('not_found', `There is no person with the address ${email}.`)
  if (person.emailVerified) return { wasVerified: true }
  await people.markVerified(person.id)
  await auditPerson(service, person.id, { actor: 'service', from, action: 'member.verified' })
  return { wasVerified: false }
}

/** A member of the task's workspace, to answer in their name. */
export async function actAs({ database }: Service, email: string, taskId: string): Promise<PersonActor> {
  const workspaceId = await taskWorkspace(database, taskId)
  if (!workspaceId) throw notFound('task')
  const person = await findPersonByEmail(database, email)
  const member = person && (await database.inWorkspace(workspaceId, (tx) => findMember(tx, person.id)))
  if (!member) throw new DomainProblem('not_found', `${email} is not a member of the task's workspace.`)
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
