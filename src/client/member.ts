import { answerCalls } from './answers.ts'
import { feedbackCalls } from './feedback.ts'
import { inboxCalls } from './inbox.ts'
import { notificationCalls } from './notifications.ts'
import { ruleCalls } from './rules.ts'
import { settingsCalls } from './settings.ts'
import { signInCalls } from './sign-in.ts'
import { taskCalls } from './tasks.ts'
import { type ClientOptions, createTransport } from './transport.ts'

export type MemberClient = ReturnType<typeof createMemberClient>

/** The API for people. Requires a session cookie, except for signing in. */
export function createMemberClient(options: ClientOptions) {
  const request = createTransport(options)
  return {
    ...taskCalls(request),
    ...signInCalls(request),
    // inboxCalls replaces listTasks and searchTasks of taskCalls, so it must come after taskCalls.
    ...inboxCalls(request, options),
    ...answerCalls(request),
    ...feedbackCalls(request, options),
    ...ruleCalls(request),
    ...settingsCalls(request, options),
    ...notificationCalls(request),
  }
}
