import type { FormType } from '../../model/lists.ts';
import type { Form } from '../../model/page.ts';
import { hasType, textInputs } from './form-rules.ts';

/** What a form that is no search form is for. The first rule that holds decides. */
export function otherFormType(form: Form): Exclude<FormType, 'search'> {
  const passwords = form.controls.filter((control) => control.type === 'password').length;
  const words = wordsOf(form);
  if (passwords > 1) return 'registration';
  if (passwords === 1) return REGISTER.test(words) && fieldCount(form) > 2 ? 'registration' : 'login';
  if (RECOVER.test(words)) return 'password-recovery';
  if (ORDER.test(words)) return 'order';
  if (hasType(form, 'textarea')) return 'contact';
  if (fieldCount(form) > 0 && (SUBSCRIBE.test(words) || (hasType(form, 'email') && fieldCount(form) < 4))) {
    return 'mailing-list';
  }
  return 'other';
}

const REGISTER = /regist|sign[\s_-]?up|join|create[\s_-]?(?:an?[\s_-])?account/i;
const RECOVER = /(?:forgot|lost|reset|recover)\w*[\s\S]{0,20}passw|passw\w*[\s\S]{0,20}(?:forgot|lost|reset|recover)/i;
const ORDER = /add[\s_-]?to[\s_-]?(?:cart|basket|bag)|checkout|place[\s_-]order|buy[\s_-]?now/i;
const SUBSCRIBE = /subscri|newsletter|mailing|e-?mail|abonn|рассыл|подпис/i;

function fieldCount(form: Form): number {
  const typed = form.controls.filter((control) => control.type === 'email' || control.type === 'tel').length;
  return textInputs(form).length + typed;
}

/** What a form says of itself, cut so that the patterns cost little on any page. */
function wordsOf(form: Form): string {
  const own = [form.action ?? '', form.id, form.name, form.className];
  const controls = form.controls.flatMap(({ name, id, label, placeholder }) => [name, id, label, placeholder]);
  return [...own, ...controls, form.text].join(' ').slice(0, 4000);
}
