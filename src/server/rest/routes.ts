import type { Route } from './route.ts'
import { actionOutcomeRoutes } from './routes/action-outcomes.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditRoutes } from './routes/audit.ts'
import { authorizationRoutes } from './routes/authorizations.ts'
import { connectedAppRoutes } from './routes/connected-apps.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { exportRoutes } from './routes/export.ts'
import { feedbackAnalysisRoutes } from './routes/feedback-analyses.ts'
import { groupRoutes } from './routes/groups.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { meRoutes } from './routes/me.ts'
import { memberRoutes } from './routes/members.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { passwordResetRoutes } from './routes/password-resets.ts'
import { policyRoutes } from './routes/policies.ts'
import { ruleSuggestionRoutes } from './routes/rule-suggestions.ts'
import { ruleRoutes } from './routes/rules.ts'
import { setupRoutes } from './routes/setup.ts'
import { singleSignOnRoutes } from './routes/single-sign-on.ts'
import { slackRoutes } from './routes/slack.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { taskBatchRoutes } from './routes/task-batches.ts'
import { taskWorkRoutes } from './routes/task-work.ts'
import { taskRoutes } from './routes/tasks.ts'
import { unsubscribeRoutes } from './routes/unsubscribe.ts'
import { viewRoutes } from './routes/views.ts'
import { workspaceRoutes } from './routes/workspace.ts'

/** Every route of the REST API. The docs group them by the first part of their path. */
export const routes: Route[] = [
  ...taskRoutes,
  ...taskBatchRoutes,
  ...taskWorkRoutes,
  ...inboxRoutes,
  ...viewRoutes,
  ...deliveryRoutes,
  ...statisticsRoutes,
  ...actionOutcomeRoutes,
  ...feedbackAnalysisRoutes,
  ...exportRoutes,
  ...meRoutes,
  ...apiKeyRoutes,
  ...connectedAppRoutes,
  ...authorizationRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...groupRoutes,
  ...policyRoutes,
  ...ruleSuggestionRoutes,
  ...ruleRoutes,
  ...passwordResetRoutes,
  ...singleSignOnRoutes,
  ...notificationRoutes,
  ...slackRoutes,
  ...unsubscribeRoutes,
  ...workspaceRoutes,
  ...auditRoutes,
  ...setupRoutes,
]
