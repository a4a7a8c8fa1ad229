import { onMessagesChanged, rewriteOutdatedMessages } from '../domain/notifications/slack/rewrite-outdated.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Keeps messages in Slack up to date: they show the outcome of their task, wherever it was answered. */
export function startRewritingSlackMessages(service: Service) {
  return startSweep(service, {
    name: 'rewrite-slack-messages',
    everyMilliseconds: 2_000,
    run: (signal) => rewriteOutdatedMessages(service, signal),
    listen: (wake) => onMessagesChanged(service, wake),
  })
}
