/** What is stored in a delivery to Slack. The message itself is composed when it is sent, from the task as it is then. */
export type SlackDelivery =
  /** The task, unless the channel or person has it already. */
  | { do: 'post'; label: string }
  /** What happened to the task: in the thread of its message, or with the task if there is none. */
  | { do: 'reply'; label: string }
  /** The message shows the task as it is now. */
  | { do: 'update' }
  /** The content of the task was deleted, and with it the row of the message. */
  | { do: 'clear'; channelId: string; messageTs: string }
  /** Tasks that were held back during quiet hours. */
  | { do: 'list'; taskIds: string[]; more: number }
  | { do: 'test' }
