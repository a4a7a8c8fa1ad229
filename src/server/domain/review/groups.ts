import { limits } from '../../../contract/limits.ts'
import type { ChangeGroup, CreateGroup, Group } from '../../../contract/review.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { deleteSlackChannelsOf } from '../../storage/notifications/slack.ts'
import { outdateSlackMessages } from '../../storage/notifications/slack-messages.ts'
import { raiseSettingsVersion } from '../../storage/review/decision-settings.ts'
import {
  deleteGroup as deleteGroupRow,
  type GroupRow,
  insertGroup,
  listGroups as listGroupRows,
  renameGroup,
  setGroupMembers,
} from '../../storage/review/groups.ts'
import { listPolicies } from '../../storage/review/policies.ts'
import { unassignAll } from '../../storage/tasks/change-task.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { conflict, invalidRequest, notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { groupsAndPeopleOf, nameOfPolicy, warnAboutGroups } from './check-policies.ts'
import { resolveNames } from './resolve-names.ts'

/** Every member may see the groups, because groups say who answers what. */
export async function listGroups({ database }: Service, actor: PersonActor): Promise<Group[]> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const groups = await listGroupRows(tx)
    const warnings = await warnAboutGroups(tx, groups)
    return groups.map((group) => present(group, warnings.get(group.id)))
  })
}

export async function createGroup(
  { database }: Service,
  actor: PersonActor,
  { slug, name = slug, members = [] }: CreateGroup,
): Promise<Group> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    if ((await listGroupRows(tx)).length >= limits.groups)
      throw conflict(`A workspace may have at most ${limits.groups} groups. Delete one first.`)
    const id = newId('group')
    if (!(await insertGroup(tx, { id, slug, name })))
      throw invalidRequest([{ path: 'slug', message: 'There is already a group with this slug.' }])
    await setGroupMembers(tx, id, await resolveMembers(tx, members))
    const group = await requireGroup(tx, id)
    await audit(tx, actor, 'group.created', id, { slug, members: memberIds(group) })
    return await presentOne(tx, group)
  })
}

/** Changes at once who may answer open tasks, because their reviews refer to the group. */
export async function changeGroup(
  { database }: Service,
  actor: PersonActor,
  groupId: string,
  { name, members }: ChangeGroup,
): Promise<Group> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    const before = await requireGroup(tx, groupId)
    if (name !== undefined) await renameGroup(tx, groupId, name)
    if (members !== undefined) await setGroupMembers(tx, groupId, await resolveMembers(tx, members))
    const group = await requireGroup(tx, groupId)
    const [idsBefore, idsAfter] = [memberIds(before), memberIds(group)]
    await audit(tx, actor, 'group.changed', groupId, {
      slug: group.slug,
      added: idsAfter.filter((id) => !idsBefore.includes(id)),
      removed: idsBefore.filter((id) => !idsAfter.includes(id)),
    })
    return await presentOne(tx, group)
  })
}

export async function deleteGroup({ database }: Service, actor: PersonActor, groupId: string): Promise<void> {
  requireRole(actor, 'admin')
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    await raiseSettingsVersion(tx)
    const { slug } = await requireGroup(tx, groupId)
    const usedBy = (await listPolicies(tx)).filter(({ settings }) =>
      groupsAndPeopleOf(settings).includes(groupId),
    )
    if (usedBy.length > 0) {
      const names = usedBy.map(nameOfPolicy).join(', ')
      throw conflict(
        usedBy.length === 1
          ? `The policy ${names} uses this group. Change it first.`
          : `These policies use this group: ${names}. Change them first.`,
      )
    }
    await deleteGroupRow(tx, groupId)
    // After the deletion, which waits for a task that is being assigned to the group right now.
    await unassignAll(tx, groupId)
    await deleteSlackChannelsOf(tx, groupId)
    await outdateSlackMessages(tx)
    await audit(tx, actor, 'group.deleted', groupId, { slug })
  })
}

async function resolveMembers(tx: Transaction, members: string[]): Promise<string[]> {
  const { ids, errors } = await resolveNames(tx, { members })
  if (errors.length > 0) throw invalidRequest(errors)
  return ids.members!
}

async function requireGroup(tx: Transaction, groupId: string): Promise<GroupRow> {
  const group = (await listGroupRows(tx)).find(({ id }) => id === groupId)
  if (!group) throw notFound('group')
  return group
}

function memberIds({ members }: GroupRow): string[] {
  return members.map(({ userId }) => userId)
}

function audit(
  tx: Transaction,
  { id, from }: PersonActor,
  action: 'group.created' | 'group.changed' | 'group.deleted',
  subject: string,
  details: Record<string, unknown>,
): Promise<void> {
  return appendAudit(tx, { actor: id, from, action, subject, details })
}

async function presentOne(tx: Transaction, group: GroupRow): Promise<Group> {
  return present(group, (await warnAboutGroups(tx, [group])).get(group.id))
}

function present({ id, slug, name, members }: GroupRow, warning: string | undefined): Group {
  return {
    groupId: id,
    slug,
    name,
    members: members.map(({ email }) => email),
    ...(warning !== undefined && { warnings: [warning] }),
  }
}
