import { useRole } from '../../lib/role.ts'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { SendTestEvent } from './send-test-event.tsx'
import { VerifySnippets } from './verify-snippets.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

export function WebhooksPage() {
  const { isAtLeast } = useRole()
  return (
    <PageFrame
      title="Webhooks"
      intro="Handrail calls a task's callback URL when the task ends or a person asks the agent a question. Callbacks are signed, and failed ones are retried for about 28 hours. Messages to MCP streams and notifications to people are also listed here: Slack messages are retried like callbacks, the others at other times."
    >
      <NotAllowed minRole="admin" to="view the webhook secret and the deliveries" />
      {isAtLeast('admin') && (
        <>
          <WebhookSecret />
          <DeliveryLog />
          <SendTestEvent />
          <VerifySnippets />
        </>
      )}
    </PageFrame>
  )
}
