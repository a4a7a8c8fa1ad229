import { setUpToken } from '../../src/server/domain/workspaces/set-up.ts'
import { taskPayload, testPassword, testSecrets } from './service.ts'

export type Ids = Record<string, string>
type Sample = { query?: string; body?: unknown }

/** How each route is called with an id of another workspace. A route without a line here fails the test. */
export const samples: Record<string, (ids: Ids) => Sample> = {
  'POST /tasks': () => ({ body: taskPayload() }),
  'POST /tasks/batch': () => ({ body: { tasks: [taskPayload()] } }),
  'GET /tasks': (ids) => ({ query: `threadId=${ids.threadId}` }),
  'GET /tasks/search': (ids) => ({ query: `query=${ids.taskId}` }),
  'GET /tasks/{taskId}': () => ({ query: 'waitSeconds=2&include=context,actions,updates' }),
  'POST /tasks/{taskId}/updates': () => ({ body: { message: 'from a stranger' } }),
  'POST /tasks/{taskId}/cancel': () => ({ body: { reason: 'from a stranger' } }),
  'POST /tasks/{taskId}/handle': () => ({ body: { actionId: 'approve' } }),
  'POST /tasks/{taskId}/mark-done': () => ({ body: {} }),
  'POST /tasks/{taskId}/reject': () => ({ body: { feedback: 'from a stranger' } }),
  'DELETE /tasks/{taskId}/content': () => ({}),
  'POST /tasks/{taskId}/claim': () => ({ body: {} }),
  'DELETE /tasks/{taskId}/claim': () => ({}),
  'GET /tasks/{taskId}/drafts': () => ({}),
  'PUT /tasks/{taskId}/drafts/{actionId}': () => ({ body: { data: { reason: 'from a stranger' } } }),
  'DELETE /tasks/{taskId}/drafts/{actionId}': () => ({}),
  'GET /tasks/{taskId}/deliveries': () => ({}),
  'GET /threads/{threadId}/timeline': () => ({}),
  'GET /feedback-analyses/latest': () => ({ query: 'app=books&type=refund-approval' }),
  'POST /feedback-analyses': () => ({ body: { app: 'books', type: 'refund-approval' } }),
  'GET /feedback-analyses': () => ({ query: 'app=books&type=refund-approval' }),
  'POST /feedback-analyses/{analysisId}/cancel': () => ({ body: {} }),
  'GET /statistics': () => ({ query: 'app=books&type=refund-approval' }),
  'GET /export': () => ({ query: 'format=jsonl&app=books' }),
  'GET /inbox': () => ({}),
  'GET /inbox/facets': () => ({}),
  'GET /inbox/today': () => ({ query: 'since=2020-01-01T00:00:00Z' }),
  'GET /inbox/events': () => ({ query: 'after=1.1.0' }),
  'GET /me': () => ({}),
  'PATCH /me': () => ({ body: { name: 'Olga Owner' } }),
  'POST /me/verification': () => ({ body: {} }),
  'GET /api-keys': () => ({}),
  'POST /api-keys': () => ({ body: { name: 'of a stranger' } }),
  'POST /api-keys/{keyId}/rotate': () => ({ body: { overlapSeconds: 0 } }),
  'DELETE /api-keys/{keyId}': () => ({}),
  'GET /connected-apps': () => ({}),
  'PATCH /connected-apps': () => ({ body: { allowed: true } }),
  'DELETE /connected-apps/{grantId}': () => ({}),
  'POST /authorizations/preview': (ids) => ({ body: { query: ids.authorizationQuery } }),
  'POST /authorizations': (ids) => ({
    body: { query: ids.authorizationQuery, workspaceId: ids.workspaceId },
  }),
  'GET /members': () => ({}),
  'PATCH /members/{userId}': () => ({ body: { role: 'member' } }),
  'DELETE /members/{userId}': () => ({}),
  'GET /invitations': () => ({}),
  'POST /invitations': (ids) => ({ body: { email: ids.invitedEmail, role: 'owner' } }),
  'DELETE /invitations/{invitationId}': () => ({}),
  'POST /invitations/preview': (ids) => ({ body: { token: ids.invitationId } }),
  'POST /invitations/accept': (ids) => ({
    body: { token: ids.invitationId, name: 'Stranger', password: testPassword },
  }),
  'POST /password-resets': (ids) => ({ body: { email: ids.invitedEmail } }),
  'POST /password-resets/accept': (ids) => ({ body: { token: ids.invitationId, password: testPassword } }),
  'GET /workspace': () => ({}),
  'GET /workspace/retention-preview': () => ({ query: 'days=30' }),
  'PATCH /workspace': () => ({ body: { name: 'Taken over' } }),
  'GET /deliveries': (ids) => ({ query: `taskId=${ids.taskId}` }),
  'GET /deliveries/{deliveryId}': () => ({}),
  'POST /deliveries/{deliveryId}/redeliver': () => ({ body: {} }),
  'POST /deliveries/redeliver': () => ({ body: { since: '2026-01-01T00:00:00Z' } }),
  'POST /webhooks/secret/reveal': () => ({ body: { password: testPassword } }),
  'POST /webhooks/secret/rotate': () => ({ body: {} }),
  // Nothing listens on this port.
  'POST /webhooks/test': () => ({ body: { url: 'http://127.0.0.1:1/' } }),
  'GET /notifications': () => ({}),
  'PUT /notifications/mail': () => ({ body: { for: 'all' } }),
  'POST /notifications/mail/test': () => ({ body: {} }),
  'PUT /notifications/chat': () => ({ body: { url: 'http://127.0.0.1:1/', for: 'all' } }),
  'POST /notifications/chat/test': () => ({ body: {} }),
  'DELETE /notifications/chat': () => ({}),
  'GET /audit': (ids) => ({ query: `subject=${ids.taskId}` }),
  'GET /audit/verify': () => ({}),
  'GET /audit/export': (ids) => ({ query: `format=jsonl&subject=${ids.taskId}` }),
  'GET /setup': () => ({}),
  'POST /setup': () => ({
    body: {
      token: setUpToken(testSecrets.AUTH_SECRET),
      workspace: 'Taken over',
      name: 'Stranger',
      email: 'stranger@example.com',
      password: testPassword,
    },
  }),
}

/** The status of a stranger's request to their own workspace, where it is not 201 for a POST. */
export const ownStatus: Record<string, number> = {
  'POST /tasks/batch': 200,
  'POST /deliveries/redeliver': 202,
  'POST /authorizations/preview': 200,
  // It names our workspace.
  'POST /authorizations': 404,
  'POST /feedback-analyses': 202,
  // There is no mail server here.
  'POST /notifications/mail/test': 503,
  // The channel was removed by an earlier sample.
  'POST /notifications/chat/test': 404,
  'DELETE /notifications/chat': 204,
  'PATCH /me': 204,
  // The address is already verified.
  'POST /me/verification': 409,
  'POST /webhooks/secret/reveal': 200,
  'POST /webhooks/secret/rotate': 200,
  'POST /webhooks/test': 202,
}
