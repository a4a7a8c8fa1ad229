import type { ApiKeys, ApiKeyWithSecret, CreateApiKey, RotateApiKey } from '../contract/api-key.ts'
import type { AuditPage, AuditVerdict, ExportAudit, ListAudit } from '../contract/audit.ts'
import type { Confirmation } from '../contract/confirmation.ts'
import type { ConnectedApps } from '../contract/connected-app.ts'
import type {
  Delivery,
  DeliveryPage,
  DeliveryWithBody,
  ListDeliveries,
  WebhookSecrets,
} from '../contract/delivery.ts'
import type { Invitations, Invite, Invited } from '../contract/invitation.ts'
import type {
  ChangeGroup,
  ChangePolicy,
  CreateGroup,
  CreatePolicy,
  Group,
  Groups,
  Policies,
  Policy,
  PolicyPreview,
  SetDoubleReviews,
} from '../contract/review.ts'
import type {
  ChangeMember,
  ChangeWorkspace,
  Member,
  Members,
  RetentionPreview,
  Workspace,
} from '../contract/workspace.ts'
import { type ClientOptions, type Transport, urlOf } from './transport.ts'

/**
 * Settings of a workspace: groups and policies, members, API keys, connected apps, webhooks and the
 * audit log.
 */
export function settingsCalls(request: Transport, options: ClientOptions) {
  const member = (userId: string) => `/api/v1/members/${encodeURIComponent(userId)}`
  const group = (groupId: string) => `/api/v1/groups/${encodeURIComponent(groupId)}`
  const policy = (policyId: string) => `/api/v1/policies/${encodeURIComponent(policyId)}`
  const apiKey = (keyId: string) => `/api/v1/api-keys/${encodeURIComponent(keyId)}`

  return {
    workspace: (signal?: AbortSignal) => request<Workspace>('/api/v1/workspace', { signal }),
    changeWorkspace: (input: ChangeWorkspace) =>
      request<Workspace>('/api/v1/workspace', { method: 'PATCH', body: input }),
    previewRetention: (days: number) =>
      request<RetentionPreview>('/api/v1/workspace/retention-preview', { query: { days } }),

    groups: (signal?: AbortSignal) => request<Groups>('/api/v1/groups', { signal }),
    createGroup: (input: CreateGroup) => request<Group>('/api/v1/groups', { method: 'POST', body: input }),
    changeGroup: (groupId: string, input: ChangeGroup) =>
      request<Group>(group(groupId), { method: 'PATCH', body: input }),
    deleteGroup: (groupId: string) => request<void>(group(groupId), { method: 'DELETE' }),
    policies: (signal?: AbortSignal) => request<Policies>('/api/v1/policies', { signal }),
    createPolicy: (input: CreatePolicy) =>
      request<Policy>('/api/v1/policies', { method: 'POST', body: input }),
    previewPolicy: (input: CreatePolicy, signal?: AbortSignal) =>
      request<PolicyPreview>('/api/v1/policies/preview', { method: 'POST', body: input, signal }),
    setDoubleReviews: (input: SetDoubleReviews) =>
      request<void>('/api/v1/policies/double-reviews', { method: 'PUT', body: input }),
    changePolicy: (policyId: string, input: ChangePolicy) =>
      request<Policy>(policy(policyId), { method: 'PATCH', body: input }),
    deletePolicy: (policyId: string) => request<void>(policy(policyId), { method: 'DELETE' }),

    members: (signal?: AbortSignal) => request<Members>('/api/v1/members', { signal }),
    changeMember: (userId: string, input: ChangeMember) =>
      request<Member>(member(userId), { method: 'PATCH', body: input }),
    /** `revokeKeys`: ids of API keys that the member created, to be revoked as well. */
    removeMember: (userId: string, { erase = false, revokeKeys = [] as string[] } = {}) =>
      request<void>(member(userId), {
        method: 'DELETE',
        query: {
          erase: erase || undefined,
          revokeKeys: revokeKeys.length > 0 ? revokeKeys : undefined,
        },
      }),

    endSessions: (userId: string) => request<void>(`${member(userId)}/sessions`, { method: 'DELETE' }),

    invitations: (signal?: AbortSignal) => request<Invitations>('/api/v1/invitations', { signal }),
    invite: (input: Invite) => request<Invited>('/api/v1/invitations', { method: 'POST', body: input }),
    revokeInvitation: (invitationId: string) =>
      request<void>(`/api/v1/invitations/${encodeURIComponent(invitationId)}`, { method: 'DELETE' }),

    apiKeys: (signal?: AbortSignal) => request<ApiKeys>('/api/v1/api-keys', { signal }),
    createApiKey: (input: CreateApiKey) =>
      request<ApiKeyWithSecret>('/api/v1/api-keys', { method: 'POST', body: input }),
    rotateApiKey: (keyId: string, input: RotateApiKey) =>
      request<ApiKeyWithSecret>(`${apiKey(keyId)}/rotate`, { method: 'POST', body: input }),
    revokeApiKey: (keyId: string) => request<void>(apiKey(keyId), { method: 'DELETE' }),

    connectedApps: (signal?: AbortSignal) => request<ConnectedApps>('/api/v1/connected-apps', { signal }),
    /** Only allowing connected apps needs the confirmation. */
    allowConnectedApps: (allowed: boolean, confirmation: Confirmation = {}) =>
      request<ConnectedApps>('/api/v1/connected-apps', {
        method: 'PATCH',
        body: { allowed, ...confirmation },
      }),
    disconnectApp: (grantId: string) =>
      request<void>(`/api/v1/connected-apps/${encodeURIComponent(grantId)}`, { method: 'DELETE' }),

    revealWebhookSecret: (confirmation: Confirmation) =>
      request<WebhookSecrets>('/api/v1/webhooks/secret/reveal', { method: 'POST', body: confirmation }),
    rotateWebhookSecret: (confirmation: Confirmation) =>
      request<WebhookSecrets>('/api/v1/webhooks/secret/rotate', { method: 'POST', body: confirmation }),
    sendTestEvent: (url: string) =>
      request<Delivery>('/api/v1/webhooks/test', { method: 'POST', body: { url } }),
    deliveries: (query: ListDeliveries = {}, signal?: AbortSignal) =>
      request<DeliveryPage>('/api/v1/deliveries', { query, signal }),
    delivery: (deliveryId: string, signal?: AbortSignal) =>
      request<DeliveryWithBody>(`/api/v1/deliveries/${encodeURIComponent(deliveryId)}`, { signal }),
    redeliver: (deliveryId: string) =>
      request<Delivery>(`/api/v1/deliveries/${encodeURIComponent(deliveryId)}/redeliver`, {
        method: 'POST',
        body: {},
      }),
    redeliverFailed: (since: string) =>
      request<{ count: number }>('/api/v1/deliveries/redeliver', { method: 'POST', body: { since } }),

    audit: (query: ListAudit = {}, signal?: AbortSignal) =>
      request<AuditPage>('/api/v1/audit', { query, signal }),
    verifyAudit: (signal?: AbortSignal) => request<AuditVerdict>('/api/v1/audit/verify', { signal }),
    /** A URL, so that the browser can download the file as a stream. */
    auditExportUrl: (query: ExportAudit) =>
      urlOf(options, '/api/v1/audit/export', { ...query, workspace: options.workspaceId }),
  }
}
