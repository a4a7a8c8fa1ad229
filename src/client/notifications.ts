import type {
  AddPushBrowser,
  ChooseNotifications,
  Notifications,
  PushBrowser,
  SetChat,
  TestSent,
} from '../contract/notification.ts'
import type { ConnectSlack, SetSlackChannels, Slack, SlackCode } from '../contract/slack.ts'
import type { Transport } from './transport.ts'

/** A person's notifications, and the chat webhook and Slack app of the workspace. */
export function notificationCalls(request: Transport) {
  return {
    notifications: (signal?: AbortSignal) => request<Notifications>('/api/v1/notifications', { signal }),
    chooseNotifications: (input: ChooseNotifications) =>
      request<Notifications>('/api/v1/notifications', { method: 'PUT', body: input }),
    sendTestMail: () => request<TestSent>('/api/v1/notifications/mail/test', { method: 'POST', body: {} }),
    addPushBrowser: (input: AddPushBrowser) =>
      request<PushBrowser>('/api/v1/notifications/push/browsers', { method: 'POST', body: input }),
    removePushBrowser: (subscriptionId: string) =>
      request<void>(`/api/v1/notifications/push/browsers/${encodeURIComponent(subscriptionId)}`, {
        method: 'DELETE',
      }),
    sendTestPush: () => request<TestSent>('/api/v1/notifications/push/test', { method: 'POST', body: {} }),
    setChat: (input: SetChat) =>
      request<Notifications>('/api/v1/notifications/chat', { method: 'PUT', body: input }),
    removeChat: () => request<void>('/api/v1/notifications/chat', { method: 'DELETE' }),
    sendTestChat: () => request<TestSent>('/api/v1/notifications/chat/test', { method: 'POST', body: {} }),

    slack: (signal?: AbortSignal) => request<Slack>('/api/v1/slack', { signal }),
    connectSlack: (input: ConnectSlack) => request<Slack>('/api/v1/slack', { method: 'PUT', body: input }),
    disconnectSlack: () => request<void>('/api/v1/slack', { method: 'DELETE' }),
    setSlackChannels: (input: SetSlackChannels) =>
      request<Slack>('/api/v1/slack/channels', { method: 'PUT', body: input }),
    sendTestSlack: (channelId: string) =>
      request<TestSent>('/api/v1/slack/test', { method: 'POST', body: { channelId } }),
    createSlackCode: () =>
      request<SlackCode>('/api/v1/notifications/slack/code', { method: 'POST', body: {} }),
    unlinkSlack: () => request<void>('/api/v1/notifications/slack', { method: 'DELETE' }),
  }
}
