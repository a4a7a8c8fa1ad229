/** The header `user-agent` of callbacks and of messages to chat webhooks. */
export const webhookUserAgent = 'Handrail-Webhooks/1'
