import type { Migration } from 'kysely'
import * as initialSchema from './001-ground-floor.ts'
import * as mcpSessions from './002-mcp-sessions.ts'
import * as deliveries from './003-deliveries.ts'
import * as inboxFilters from './004-inbox-filters.ts'
import * as feedback from './005-feedback.ts'
import * as notifications from './006-notifications.ts'
import * as retention from './007-retention.ts'
import * as people from './008-people.ts'
import * as auditChain from './009-audit-chain.ts'
import * as endings from './010-endings.ts'
import * as newestByType from './011-newest-of-a-type.ts'
import * as batchedEndings from './012-endings-together.ts'
import * as viaAndSignedHeads from './013-via-and-signed-heads.ts'
import * as identity from './014-identity.ts'
import * as eventPruning from './015-event-pruning.ts'
import * as timelineEpoch from './016-epoch-of-a-timeline.ts'
import * as trace from './017-trace.ts'
import * as versionStarts from './018-versions-began.ts'
import * as sentOptions from './019-sent-options.ts'
import * as multipleResetLinks from './020-several-reset-links.ts'
import * as oneIndexPerType from './021-one-index-per-type.ts'

/**
 * The migrations from before 0.2.0, for databases and backups of that time. They end with the schema
 * of 001-initial-schema (test/e2e/migrations.test.ts). Nothing is added here.
 */
export const preReleaseMigrations: Record<string, Migration> = {
  '001-ground-floor': initialSchema,
  '002-mcp-sessions': mcpSessions,
  '003-deliveries': deliveries,
  '004-inbox-filters': inboxFilters,
  '005-feedback': feedback,
  '006-notifications': notifications,
  '007-retention': retention,
  '008-people': people,
  '009-audit-chain': auditChain,
  '010-endings': endings,
  '011-newest-of-a-type': newestByType,
  '012-endings-together': batchedEndings,
  '013-via-and-signed-heads': viaAndSignedHeads,
  '014-identity': identity,
  '015-event-pruning': eventPruning,
  '016-epoch-of-a-timeline': timelineEpoch,
  '017-trace': trace,
  '018-versions-began': versionStarts,
  '019-sent-options': sentOptions,
  '020-several-reset-links': multipleResetLinks,
  '021-one-index-per-type': oneIndexPerType,
}
