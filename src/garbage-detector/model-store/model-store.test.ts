import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DetectorName } from '../../model/lists.ts';
import { ModelStore, type StoredModel } from './model-store.ts';

let folder: string;
let store: ModelStore<StoredModel>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'));
  const shipped = mkdtempSync(join(folder, 'shipped-'));
  writeFileSync(join(shipped, 'spam-1.json'), JSON.stringify(model('spam', '1')));
  writeFileSync(join(shipped, 'soft-404-1.json'), JSON.stringify(model('soft-404', '1')));
  store = new ModelStore(join(folder, 'own'), shipped, isModel);
});

afterEach(() => rmSync(folder, { recursive: true }));

function model(detector: DetectorName, version: string): StoredModel {
  return { detector, version };
}

function isModel(value: unknown, detector: DetectorName): value is StoredModel {
  return typeof value === 'object' && value !== null && 'detector' in value && value.detector === detector;
}

it('uses the shipped model until another is promoted, and goes back', () => {
  expect(store.load('spam')?.version).toBe('1');
  store.save(model('spam', '2'));
  expect(store.load('spam')?.version).toBe('1');
  expect(store.promote('spam', '2')).toBe(true);
  store.save(model('spam', '10'));
  store.promote('spam', '10');
  expect(store.load('spam')?.version).toBe('10');
  expect(store.load('soft-404')?.version).toBe('1');
  expect(store.rollback('spam')).toBe('2');
  expect(store.rollback('spam')).toBe('1');
  expect(store.rollback('spam')).toBeUndefined();
});

it('refuses to promote what is not there', () => {
  expect(store.promote('spam', '7')).toBe(false);
});

it('a damaged model in use falls back to the shipped one', () => {
  writeFileSync(store.save(model('spam', '2')), '{"detector":');
  expect(store.promote('spam', '2')).toBe(false);
  writeFileSync(store.save(model('spam', '3')), JSON.stringify(model('spam', '3')));
  store.promote('spam', '3');
  writeFileSync(join(folder, 'own', 'spam-3.json'), 'no json');
  expect(store.load('spam')?.version).toBe('1');
});

it('lists every model and says which is in use', () => {
  store.save(model('spam', '2'));
  store.promote('spam', '2');
  expect(store.list().map(({ detector, version, shipped, inUse }) => [detector, version, shipped, inUse])).toEqual([
    ['spam', '1', true, false],
    ['spam', '2', false, true],
    ['soft-404', '1', true, true],
  ]);
});
