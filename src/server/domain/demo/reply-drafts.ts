import { reservedActions } from '../../../contract/action.ts'
import { supportReleases } from './refunds.ts'
import { rejectedRequest, remark, rewrittenReply, sentReply, tooFormal } from './remarks.ts'
import { releaseAt, type SampleApp } from './sample-app.ts'

const topics = [
  ['Where is my parcel?', 'It left our warehouse yesterday and should be with you within two days.'],
  ['Changing the delivery address', 'I have changed it; the courier rings at the new door.'],
  ['Invoice for the company', 'You find it attached, with the address of your company on it.'],
  ['Spare lid for the casserole', 'We have one in stock and can send it without charge.'],
  ['Cancelling an order', 'It had not been packed yet, so it is cancelled and nothing is charged.'],
  ['How do I clean the brass lamp?', 'A dry cloth is enough; polish takes the coating off.'],
  ['Voucher does not work', 'It needs a basket of €40 or more. Yours has €36.'],
] as const
const people = ['Ines', 'Tom', 'Mei', 'Jonas', 'Aisha', 'Pavel', 'Grace', 'Luca', 'Hanna', 'Marta']

/** Healthy: nine in ten are sent unchanged. Of the rest, many are too formal. */
export const replyDrafts: SampleApp = {
  percent: 32,
  overdueShare: 0.05,
  payload(random, age) {
    const [subject, answer] = random.pick(topics)
    const name = random.pick(people)
    return {
      task: {
        type: 'reply-draft',
        name: `Reply to ${name}: ${subject}`,
        description: 'Please read it before it goes out.',
      },
      app: 'support-agent',
      version: releaseAt(age, supportReleases),
      context: {
        data: {
          email: {
            from: 'service@northwind.example',
            to: `${name.toLowerCase()}@customer.example`,
            subject: `Re: ${subject}`,
            body: `Dear ${name},\n\nthank you for your message. ${answer}\n\nKind regards\nNorthwind service`,
          },
        },
        ui: { email: { 'ui:title': 'Draft', 'ui:widget': 'email' } },
      },
      // A reply must not wait forever: after a day it is sent unread.
      expiresInSeconds: 86_400,
      onExpire: { actionId: 'send' },
      actions: [
        {
          id: 'send',
          title: 'Send it',
          outcome: 'positive',
          schema: { type: 'object', properties: { comment: { type: 'string', title: 'Comment' } } },
        },
        {
          id: 'rewrite',
          title: 'Write it again',
          outcome: 'negative',
          schema: {
            type: 'object',
            required: ['advice'],
            properties: { advice: { type: 'string', title: 'What should be different?' } },
          },
          ui: { advice: { 'ui:widget': 'textarea' } },
        },
      ],
    }
  },
  answer(random) {
    if (random.chance(0.015))
      return {
        actionId: reservedActions.rejectRequest.id,
        data: { feedback: remark(random, rejectedRequest) },
      }
    if (random.chance(0.02)) return { actionId: reservedActions.markDone.id, data: {} }
    if (random.chance(0.08))
      return {
        actionId: 'rewrite',
        data: { advice: remark(random, random.chance(0.4) ? tooFormal : rewrittenReply) },
      }
    return { actionId: 'send', data: random.chance(0.25) ? { comment: remark(random, sentReply) } : {} }
  },
}
