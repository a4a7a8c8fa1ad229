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
      lede="A task with a callback address is told there when it is answered. Calls are signed, and tried again for a day if nobody answers."
    >
      <NotAllowed least="admin" to="see the secret and what was sent" />
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
