import type { PausedBecause } from '../../../contract/rules/rule.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { raiseSettingsVersion } from '../../storage/review/decision-settings.ts'
import { findOverdueRules, lockRule, type RuleRow, setPaused } from '../../storage/rules/rules.ts'
import type { AdminActor } from '../actor.ts'
import type { AdminText } from '../notifications/messages.ts'
import { notifyAdmins } from '../notifications/notify-admins.ts'
import { processDue } from '../process-due.ts'
import type { Service } from '../service.ts'
import { taskUrl } from '../tasks/present-task.ts'

const sentences: Record<PausedBecause, string> = {
  disagreement: 'People disagreed with it more often than allowed.',
  recentChange: 'People have disagreed with it too often recently.',
  formChanged: 'Agents now send a form that its answer does not fit.',
  untilReached: 'Its time is over.',
  person: 'An admin paused it, or the operator at the command line.',
}

export type Pause = {
  because: PausedBecause
  /** undefined: the service itself. */
  actor?: AdminActor
  /** The tasks that made it pause. */
  taskIds?: string[]
}

/**
 * Pauses an active rule that the caller has locked. From the commit on, the rule decides nothing,
 * because new tasks are inserted only with the current settings.
 */
export async function pauseRule(
  service: Service,
  tx: Transaction,
  rule: RuleRow,
  pause: Pause,
): Promise<void> {
  const { because, taskIds = [] } = pause
  const { publicUrl } = service
  await pauseRules(service, tx, [rule], pause, {
    subject: `Rule paused: ${rule.name}`,
    text: `The rule "${rule.name}" is paused. ${sentences[because]} Its tasks go to people now; no task is lost.`,
    links: [
      { label: 'Open the rule', url: `${publicUrl}/w/${tx.workspaceId}/rules/${rule.id}` },
      ...taskIds.map((taskId, index) => ({
        label: taskIds.length === 1 ? 'Open the task' : `Open task ${index + 1}`,
        url: taskUrl(publicUrl, tx.workspaceId, taskId),
      })),
    ],
  })
}

/** Pauses active rules that the caller has locked, with one notice about all of them. */
export async function pauseRules(
  service: Service,
  tx: Transaction,
  rules: RuleRow[],
  { because, actor, taskIds = [] }: Pause,
  notice: AdminText,
): Promise<void> {
  await raiseSettingsVersion(tx)
  for (const { id } of rules) {
    await setPaused(tx, id, because, actor?.kind === 'person' ? actor.id : null)
    await appendAudit(tx, {
      actor: actor?.id ?? 'service',
      from: actor?.from,
      action: 'rule.paused',
      subject: id,
      details: { because, ...(taskIds.length > 0 && { taskIds }) },
    })
  }
  await notifyAdmins(service, tx, {
    eventType: 'service/rule_paused',
    except: actor?.kind === 'person' ? actor.id : undefined,
    ...notice,
  })
}

/**
 * Pauses rules whose answer does not fit the form of a task that was just created. The task is not
 * affected. If this fails, the next such task tries again.
 */
export async function pauseForChangedForm(
  service: Service,
  workspaceId: string,
  ruleIds: string[],
  taskId: string,
): Promise<void> {
  for (const ruleId of ruleIds) {
    try {
      await service.database.inWorkspace(workspaceId, (tx) =>
        pauseIfActive(service, tx, ruleId, { because: 'formChanged', taskIds: [taskId] }),
      )
    } catch (error) {
      service.log.error({ err: error, ruleId }, 'failed to pause a rule whose answer does not fit the form')
    }
  }
}

/** Pauses rules whose time is over. Returns true if there may be more. */
export async function pauseOverdueRules(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findOverdueRules(service.database, limit),
    idOf: ({ id }) => id,
    // Even if this fails, the rule decides nothing any more.
    failure: 'failed to pause a rule whose time is over',
    work: (tx, { id }) => pauseIfActive(service, tx, id, { because: 'untilReached' }),
  })
}

async function pauseIfActive(service: Service, tx: Transaction, ruleId: string, pause: Pause): Promise<void> {
  const rule = await lockRule(tx, ruleId)
  if (rule?.state !== 'active') return
  // An admin may have extended its time meanwhile.
  if (pause.because === 'untilReached' && rule.until > (await readClock(tx))) return
  await pauseRule(service, tx, rule, pause)
}
