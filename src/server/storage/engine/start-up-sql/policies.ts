import { appRole, type RoleMode } from '../role-mode.ts'

/**
 * The column with the workspace id of each table that has one. mcp_sessions, which only the owner
 * uses, is left out; see row-security.test.ts.
 */
export const guardedTables: Record<string, string> = {
  workspaces: 'id',
  webhook_secrets: 'workspace_id',
  members: 'workspace_id',
  groups: 'workspace_id',
  group_members: 'workspace_id',
  policies: 'workspace_id',
  invitations: 'workspace_id',
  api_keys: 'workspace_id',
  api_key_secrets: 'workspace_id',
  oauth_grants: 'workspace_id',
  oauth_tokens: 'workspace_id',
  threads: 'workspace_id',
  tasks: 'workspace_id',
  task_contents: 'workspace_id',
  task_updates: 'workspace_id',
  task_questions: 'workspace_id',
  task_notes: 'workspace_id',
  task_steps: 'workspace_id',
  task_revisions: 'workspace_id',
  task_answers: 'workspace_id',
  task_search: 'workspace_id',
  claims: 'workspace_id',
  drafts: 'workspace_id',
  views: 'workspace_id',
  snoozes: 'workspace_id',
  idempotency_keys: 'workspace_id',
  events: 'workspace_id',
  pruned_events: 'workspace_id',
  audit_log: 'workspace_id',
  audit_heads: 'workspace_id',
  notification_routes: 'workspace_id',
  quiet_hours: 'workspace_id',
  held_notifications: 'workspace_id',
  push_subscriptions: 'workspace_id',
  slack_connections: 'workspace_id',
  slack_people: 'workspace_id',
  slack_codes: 'workspace_id',
  slack_messages: 'workspace_id',
  deliveries: 'workspace_id',
  delivery_attempts: 'workspace_id',
  analyses: 'workspace_id',
  action_outcomes: 'workspace_id',
  rules: 'workspace_id',
  rule_versions: 'workspace_id',
  rule_samples: 'workspace_id',
  answer_days: 'workspace_id',
  answer_time_days: 'workspace_id',
  answer_edit_days: 'workspace_id',
  answer_roll_ups: 'workspace_id',
  erasures: 'workspace_id',
}

/**
 * Tables without a workspace column that requests may read, for app_now() and app_epoch(). The
 * other rows of service_facts are not secret: fingerprints, from which secrets cannot be derived, a
 * digest of the start-up SQL, and whether the heads of the audit chains were signed.
 */
const shared = ['clock_offset', 'service_facts']

/**
 * Only members of the same workspace see names and addresses. Statements without a workspace, such
 * as those of better-auth, run as the owner and see all.
 */
export function colleaguePolicy(mode: RoleMode): string {
  const colleagues = `id IN (SELECT user_id FROM members WHERE workspace_id = current_setting('handrail.workspace', true))`
  const rule =
    mode.kind === 'forced'
      ? `USING (coalesce(current_setting('handrail.workspace', true), '') = '' OR ${colleagues})`
      : `FOR SELECT USING (${colleagues})`
  return `
ALTER TABLE users ENABLE ROW LEVEL SECURITY, ${mode.kind === 'forced' ? 'FORCE' : 'NO FORCE'} ROW LEVEL SECURITY;
DROP POLICY IF EXISTS colleagues ON users;
CREATE POLICY colleagues ON users ${rule};
`
}

export const securityDefinerFunctions = [
  'find_api_key(text)',
  'find_oauth_token(text)',
  'workspaces_of_person(text)',
  'find_invitation(text)',
  'find_invitations_to(text)',
  'webhook_of_task(text,text)',
  'search_tasks(text[],text,text,text[],text[],smallint,text,text,text,text,text,timestamptz,timestamptz,boolean,timestamptz,text,integer)',
]

/** Needed because everyone may call a new function by default. */
export const revokePublic = `
REVOKE ALL ON FUNCTION ${securityDefinerFunctions.join(', ')} FROM PUBLIC;
`

export function policies(mode: RoleMode, table: string, column: string): string {
  const rule = `${column} = current_setting('handrail.workspace', true)`
  const crossing = `current_setting('handrail.crossing', true) = 'on'`
  // The policy of the search table is not forced on the owner, because search_tasks() reads it as
  // the owner. search_tasks() and searchAmong, which read the table for requests, filter by
  // workspace themselves.
  const force = mode.kind === 'forced' && table !== 'task_search' ? 'FORCE' : 'NO FORCE'
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, ${force} ROW LEVEL SECURITY;
DROP POLICY IF EXISTS one_workspace ON ${table};
CREATE POLICY one_workspace ON ${table} USING (${rule}) WITH CHECK (${rule});
DROP POLICY IF EXISTS crossing ON ${table};
${mode.kind === 'forced' ? `CREATE POLICY crossing ON ${table} USING (${crossing}) WITH CHECK (${crossing});` : ''}`
}

export function grants(schema: string): string {
  const writable = Object.keys(guardedTables).filter((table) => !table.startsWith('audit_'))
  return `
GRANT USAGE ON SCHEMA ${schema} TO ${appRole};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${writable.join(', ')} TO ${appRole};
REVOKE ALL ON audit_log, audit_heads FROM ${appRole};
GRANT SELECT ON audit_log, audit_heads TO ${appRole};
GRANT INSERT (id, workspace_id, actor, action, subject, from_address, details) ON audit_log TO ${appRole};
GRANT INSERT (workspace_id, digest, signature) ON audit_heads TO ${appRole};
GRANT SELECT ON ${shared.join(', ')} TO ${appRole};
GRANT SELECT (id, name, email, email_verified) ON users TO ${appRole};
GRANT EXECUTE ON FUNCTION ${securityDefinerFunctions.join(', ')} TO ${appRole};
`
}
