import type { RequestPasswordReset, ResetPassword, SignedIn, SignIn } from '../contract/account.ts'
import type {
  AuthorizationDecision,
  AuthorizationPreview,
  DecideAuthorization,
} from '../contract/connected-app.ts'
import type { TaskDeliveries } from '../contract/delivery.ts'
import type {
  Claim,
  Draft,
  Drafts,
  InboxFacets,
  InboxPage,
  InboxToday,
  ListInbox,
  SaveDraft,
  SnoozeTask,
  TaskSnoozed,
  Timeline,
} from '../contract/inbox.ts'
import type { AddNote, AssignTask } from '../contract/note.ts'
import type { UnsubscribePreview } from '../contract/notification.ts'
import type { AskQuestion, QuestionAsked } from '../contract/question.ts'
import type {
  ConfirmSingleSignOn,
  SingleSignOnResult,
  SingleSignOnStarted,
} from '../contract/single-sign-on.ts'
import type { MemberTaskRecord, TaskRecord } from '../contract/task.ts'
import type { HandleTask, MarkDone, RejectTask } from '../contract/task-answer.ts'
import type { ListTasksAsMember, MemberTaskPage, SearchTasksAsMember } from '../contract/task-list.ts'
import type { SaveViews, Views } from '../contract/view.ts'
import type {
  AcceptInvitation,
  InvitationAccepted,
  InvitationPreview,
  SetUp,
  SetUpDone,
  SetUpStatus,
} from '../contract/workspace.ts'
import { feedbackCalls } from './feedback.ts'
import { ruleCalls } from './rules.ts'
import { settingsCalls } from './settings.ts'
import { taskCalls } from './tasks.ts'
import { type ClientOptions, createTransport } from './transport.ts'

/**
 * With `keepalive` the request outlives its page, if the body is smaller than 64 KiB. With `personId` the
 * service refuses the request if someone else has signed in since.
 */
type AnswerCall = { keepalive?: boolean; personId?: string }

export type MemberClient = ReturnType<typeof createMemberClient>

/** The API for people: sign-in, inbox and answers. Requires a session cookie. */
export function createMemberClient(options: ClientOptions) {
  const request = createTransport(options)
  const task = (taskId: string) => `/api/v1/tasks/${encodeURIComponent(taskId)}`
  const draft = (taskId: string, actionId: string) => `${task(taskId)}/drafts/${encodeURIComponent(actionId)}`

  return {
    ...taskCalls(request),
    ...settingsCalls(request, options),
    ...feedbackCalls(request, options),
    ...ruleCalls(request),

    signIn: (input: SignIn) => request<SignedIn>('/api/auth/sign-in/email', { method: 'POST', body: input }),
    /** The second factor: a code of an authenticator app. */
    verifyCode: (code: string) =>
      request<unknown>('/api/auth/two-factor/verify-totp', { method: 'POST', body: { code } }),
    verifyRecoveryCode: (code: string) =>
      request<unknown>('/api/auth/two-factor/verify-backup-code', { method: 'POST', body: { code } }),
    requestPasswordReset: (input: RequestPasswordReset) =>
      request<unknown>('/api/v1/password-resets', { method: 'POST', body: input }),
    resetPassword: (input: ResetPassword) =>
      request<void>('/api/v1/password-resets/accept', { method: 'POST', body: input }),
    signOut: () => request<unknown>('/api/auth/sign-out', { method: 'POST', body: {} }),

    /** Returns the page of the identity provider to open. */
    startSingleSignOn: () =>
      request<SingleSignOnStarted>('/api/v1/single-sign-on', { method: 'POST', body: {} }),
    completeSingleSignOn: (query: string) =>
      request<SingleSignOnResult>('/api/v1/single-sign-on/complete', { method: 'POST', body: { query } }),
    confirmSingleSignOn: (input: ConfirmSingleSignOn) =>
      request<unknown>('/api/v1/single-sign-on/confirm', { method: 'POST', body: input }),
    useSignInLink: (token: string) =>
      request<unknown>('/api/v1/sign-in-links/use', { method: 'POST', body: { token } }),

    setUpNeeded: () => request<SetUpStatus>('/api/v1/setup'),
    setUp: (input: SetUp) => request<SetUpDone>('/api/v1/setup', { method: 'POST', body: input }),
    previewInvitation: (token: string) =>
      request<InvitationPreview>('/api/v1/invitations/preview', { method: 'POST', body: { token } }),
    acceptInvitation: (input: AcceptInvitation) =>
      request<InvitationAccepted>('/api/v1/invitations/accept', { method: 'POST', body: input }),

    previewUnsubscribe: (token: string) =>
      request<UnsubscribePreview>('/api/v1/unsubscribe/preview', { method: 'POST', body: { token } }),
    /** The link of an email: turns off its person's emails about tasks. */
    unsubscribe: (token: string) =>
      request<void>(`/unsubscribe/${encodeURIComponent(token)}`, { method: 'POST' }),

    /** For the consent page: the app that sent the person with this query string. */
    previewAuthorization: (query: string) =>
      request<AuthorizationPreview>('/api/v1/authorizations/preview', { method: 'POST', body: { query } }),
    decideAuthorization: (input: DecideAuthorization) =>
      request<AuthorizationDecision>('/api/v1/authorizations', { method: 'POST', body: input }),

    inbox: (query: ListInbox = {}, signal?: AbortSignal) =>
      request<InboxPage>('/api/v1/inbox', { query, signal }),
    views: (signal?: AbortSignal) => request<Views>('/api/v1/views', { signal }),
    saveViews: (input: SaveViews) => request<Views>('/api/v1/views', { method: 'PUT', body: input }),
    saveSharedViews: (input: SaveViews) =>
      request<Views>('/api/v1/views/shared', { method: 'PUT', body: input }),
    inboxFacets: (signal?: AbortSignal) => request<InboxFacets>('/api/v1/inbox/facets', { signal }),
    inboxToday: (since: string, signal?: AbortSignal) =>
      request<InboxToday>('/api/v1/inbox/today', { query: { since }, signal }),
    /** People have more filters than agents. */
    listTasks: (query: ListTasksAsMember = {}, signal?: AbortSignal) =>
      request<MemberTaskPage>('/api/v1/tasks', { query, signal }),
    searchTasks: (query: SearchTasksAsMember, signal?: AbortSignal) =>
      request<MemberTaskPage>('/api/v1/tasks/search', { query, signal }),
    /** A task with all its details. */
    openTask: (taskId: string, signal?: AbortSignal) =>
      request<MemberTaskRecord>(task(taskId), {
        query: {
          include: [
            'context',
            'actions',
            'updates',
            'sent',
            'revisions',
            'threadTasks',
            'review',
            'notes',
            'snooze',
          ],
        },
        signal,
      }),
    /** For an EventSource, which cannot send headers. */
    inboxEventsUrl: (after: string) =>
      `${options.baseUrl}/api/v1/inbox/events?${new URLSearchParams({ workspace: options.workspaceId ?? '', after })}`,
    timeline: (threadId: string, cursor?: string, signal?: AbortSignal) =>
      request<Timeline>(`/api/v1/threads/${encodeURIComponent(threadId)}/timeline`, {
        query: { limit: 100, cursor },
        signal,
      }),

    handleTask: (taskId: string, input: HandleTask, call: AnswerCall = {}) =>
      request<TaskRecord>(`${task(taskId)}/handle`, { method: 'POST', body: input, ...answerRequest(call) }),
    markDone: (taskId: string, input: MarkDone = {}, call: AnswerCall = {}) =>
      request<TaskRecord>(`${task(taskId)}/mark-done`, {
        method: 'POST',
        body: input,
        ...answerRequest(call),
      }),
    askQuestion: (taskId: string, input: AskQuestion) =>
      request<QuestionAsked>(`${task(taskId)}/questions`, { method: 'POST', body: input }),
    addNote: (taskId: string, input: AddNote) =>
      request<{ noteId: string }>(`${task(taskId)}/notes`, { method: 'POST', body: input }),
    assignTask: (taskId: string, input: AssignTask) =>
      request<TaskRecord>(`${task(taskId)}/assign`, { method: 'POST', body: input }),
    rejectTask: (taskId: string, input: RejectTask, call: AnswerCall = {}) =>
      request<TaskRecord>(`${task(taskId)}/reject`, { method: 'POST', body: input, ...answerRequest(call) }),

    deleteContent: (taskId: string) => request<void>(`${task(taskId)}/content`, { method: 'DELETE' }),

    taskDeliveries: (taskId: string, signal?: AbortSignal) =>
      request<TaskDeliveries>(`${task(taskId)}/deliveries`, { signal }),

    claimTask: (taskId: string) => request<{ claim?: Claim }>(`${task(taskId)}/claim`, { method: 'POST' }),
    releaseTask: (taskId: string) =>
      request<{ claim?: Claim }>(`${task(taskId)}/claim`, { method: 'DELETE', keepalive: true }),

    snoozeTask: (taskId: string, input: SnoozeTask) =>
      request<TaskSnoozed>(`${task(taskId)}/snooze`, { method: 'PUT', body: input }),
    unsnoozeTask: (taskId: string) => request<void>(`${task(taskId)}/snooze`, { method: 'DELETE' }),

    drafts: (taskId: string, signal?: AbortSignal) => request<Drafts>(`${task(taskId)}/drafts`, { signal }),
    saveDraft: (
      taskId: string,
      actionId: string,
      body: SaveDraft,
      call: Pick<AnswerCall, 'keepalive'> = {},
    ) => request<Draft>(draft(taskId, actionId), { method: 'PUT', body, ...call }),
    deleteDraft: (taskId: string, actionId: string) =>
      request<void>(draft(taskId, actionId), { method: 'DELETE' }),
  }
}

function answerRequest({ personId, keepalive }: AnswerCall) {
  return {
    ...(keepalive !== undefined && { keepalive }),
    ...(personId !== undefined && { headers: { 'handrail-person': personId } }),
  }
}
