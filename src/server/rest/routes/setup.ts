import { SetUp, SetUpDone, SetUpStatus } from '../../../contract/set-up.ts'
import { isSetUpNeeded, setUp } from '../../domain/workspaces/set-up.ts'
import { defineRoute, deviceOf } from '../route.ts'

export const setupRoutes = [
  defineRoute({
    method: 'get',
    path: '/setup',
    operationId: 'setUpNeeded',
    who: 'anyone',
    summary:
      'Get whether the first owner still has to be created, whether forgotten passwords can be reset by email, and how people sign in.',
    responses: { 200: SetUpStatus },
    async handle(service) {
      const { sendMail, passwordSignIn, singleSignOn } = service
      const body: SetUpStatus = {
        needed: await isSetUpNeeded(service),
        resetsByMail: sendMail !== undefined,
        passwordSignIn,
        ...(singleSignOn && { singleSignOn: singleSignOn.name }),
      }
      return { status: 200, body }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/setup',
    operationId: 'setUp',
    who: 'anyone',
    skipsNewDeviceMail: true,
    summary: 'Create the first owner and workspace with the token of the setup link, and sign in.',
    body: SetUp,
    responses: { 201: SetUpDone },
    async handle(service, { body, headers, from }) {
      const { done, cookies } = await setUp(service, body, deviceOf(headers, from))
      return { status: 201, body: done, cookies }
    },
  }),
]
