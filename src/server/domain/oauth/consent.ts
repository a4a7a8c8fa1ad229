import type {
  AuthorizationDecision,
  AuthorizationPreview,
  DecideAuthorization,
} from '../../../contract/connected-app.ts'
import type { Role } from '../../../contract/workspace.ts'
import { digestCredential, newCredential } from '../../lib/credential-format.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { lockRole } from '../../storage/people/members.ts'
import { keepOAuthClient } from '../../storage/people/oauth-clients.ts'
import { allowsApps, insertToken, lockAllowsApps, saveGrant } from '../../storage/people/oauth-grants.ts'
import { findWorkspace } from '../../storage/people/workspaces.ts'
import { DomainProblem, forbidden } from '../problems.ts'
import type { Service } from '../service.ts'
import { connectedAppMail, reportToPerson } from '../workspaces/account-mails.ts'
import type { SignedInPerson } from '../workspaces/person.ts'
import { needsTwoFactor, twoFactorRequired } from '../workspaces/two-factor-requirement.ts'
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts'
import { disconnect, undoIfSignedOut } from './connected-apps.ts'
import { addressOf, isLocal } from './redirect-uris.ts'

const codeSeconds = 60

/** What the consent page shows: who asks, for what, and in which workspaces it can be allowed. */
export async function previewAuthorization(
  service: Service,
  person: SignedInPerson,
  query: string,
): Promise<AuthorizationPreview> {
  const request = await readAuthorizationRequest(service, query, person.id)
  if ('returnTo' in request) return { kind: 'invalid', redirectTo: request.returnTo }
  const workspaces = person.workspaces.filter(({ workspaceId }) => !needsTwoFactor(person, workspaceId))
  const allowsAppsIn = await Promise.all(
    workspaces.map(({ workspaceId }) => service.database.inWorkspace(workspaceId, allowsApps)),
  )
  const { client, redirectUri } = request
  return {
    kind: 'request',
    client: {
      name: client.name,
      ...clientAddressOf(request),
      isLocal: isLocal(redirectUri),
      returnsTo: addressOf(redirectUri),
    },
    scopes: request.scopes,
    workspaces: workspaces
      .filter((_, index) => allowsAppsIn[index])
      .map(({ workspaceId, workspaceName, role }) => ({
        workspaceId,
        name: workspaceName,
        role: role as Role,
      })),
  }
}

/**
 * Carries out the person's decision. If they chose a workspace, they allow access to it and the
 * client gets a code; otherwise they deny access. `headers` are those of the request: its session
 * must not have ended before the access is stored.
 */
export async function decideAuthorization(
  service: Service,
  person: SignedInPerson,
  { query, workspaceId }: DecideAuthorization,
  headers: Headers,
  from: string,
): Promise<AuthorizationDecision> {
  const request = await readAuthorizationRequest(service, query, person.id)
  if ('returnTo' in request) return { redirectTo: request.returnTo }
  if (workspaceId === undefined) return { redirectTo: request.returnWith({ error: 'access_denied' }) }
  if (needsTwoFactor(person, workspaceId)) throw twoFactorRequired()
  const { database, secrets } = service
  const { client, redirectUri, scopes, codeChallenge } = request
  const code = newCredential('authorizationCode')
  const { grantId, workspaceName } = await database.inWorkspace(workspaceId, async (tx) => {
    if (!(await lockRole(tx, person.id)))
      throw new DomainProblem('not_found', 'This workspace does not exist, or you are not a member of it.')
    if (!(await lockAllowsApps(tx)))
      throw forbidden(
        'This workspace does not allow connected apps. An admin can allow them in the settings.',
      )
    const { address: clientAddress, isVerified } = clientAddressOf(request)
    const grantId = await saveGrant(tx, {
      id: newId('grant'),
      userId: person.id,
      clientId: client.id,
      clientName: client.name,
      clientAddress,
      isVerified,
      scopes,
    })
    await insertToken(tx, {
      kind: 'code',
      digest: digestCredential(code, secrets.apiKeyPepper),
      grantId,
      seconds: codeSeconds,
      redirectUri,
      codeChallenge,
    })
    const details = { app: client.name, address: clientAddress, scopes: scopes.join(' ') }
    await appendAudit(tx, { actor: person.id, from, action: 'app.connected', subject: grantId, details })
    return { grantId, workspaceName: (await findWorkspace(tx))!.name }
  })
  const by = { actor: 'service', from }
  await undoIfSignedOut(service, headers, person.id, () =>
    database.inWorkspace(workspaceId, (tx) => disconnect(tx, by, { grantId }, 'session ended')),
  )
  await keepOAuthClient(database, client.id)
  const mail = connectedAppMail(service, { app: client.name, workspace: workspaceName })
  reportToPerson(service, person, 'connected app', mail)
  return { redirectTo: request.returnWith({ code }) }
}

/**
 * The address under which people recognize the client. It is verified only if the client has a
 * document and the code goes to a website: any program on a computer can name the document of
 * another app.
 */
function clientAddressOf({ client, redirectUri }: AuthorizationRequest): {
  address: string
  isVerified: boolean
} {
  const isVerified = client.documentReadAt !== null && !isLocal(redirectUri)
  return { address: isVerified ? new URL(client.id).host : addressOf(redirectUri), isVerified }
}
