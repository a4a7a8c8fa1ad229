import { onMessagesChanged, rewriteOutdatedMessages } from '../domain/notifications/slack/rewrite-outdated.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Keeps messages in Slack true: they show the outcome of their task, wherever it was answered. */
export function startRewritingSlackMessages(service: Service): { close(): Promise<void> } {
  return startSweep(service, {
    name: 'rewrite-slack-messages',
    everyMilliseconds: 2_000,
    async run(signal) {
      while (!signal.aborted && (await rewriteOutdatedMessages(service))) {
        // until no batch is left
      }
    },
    listen: (wake) => onMessagesChanged(service, wake),
  })
}
