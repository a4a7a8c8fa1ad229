import { PreviewUnsubscribe, UnsubscribePreview } from '../../../contract/notification.ts'
import { previewUnsubscribe } from '../../domain/notifications/mail/unsubscribe.ts'
import { defineRoute } from '../route.ts'

// `rest/unsubscribe.ts` handles the POST to the link itself.
export const unsubscribeRoutes = [
  defineRoute({
    // POST, so that the token appears in no log.
    method: 'post',
    path: '/unsubscribe/preview',
    operationId: 'previewUnsubscribe',
    who: 'anyone',
    summary:
      'Show whose emails an unsubscribe link turns off, given its token. Changes nothing. A POST to the link itself turns them off.',
    body: PreviewUnsubscribe,
    responses: { 200: UnsubscribePreview },
    async handle(service, { body }) {
      return { status: 200, body: await previewUnsubscribe(service, body.token) }
    },
  }),
]
