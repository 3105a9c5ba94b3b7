const $uninitialised = {};

const $done = {};

const $templateObjects = new $Map();

function $templateObject(key, cooked, raw) {
  if (!$templateObjects.has(key)) {
    $templateObjects.set(key, $Object.freeze($Object.defineProperty(cooked, "raw", { value: $Object.freeze(raw) })));
  }
  return $templateObjects.get(key);
}

function $check(value, name) {
  if (value === $uninitialised) throw new $ReferenceError(`Cannot access '${name}' before initialization`);
}

function $assignConstant() {
  throw new $TypeError("Assignment to constant variable.");
}

function $requireObject(value) {
  if (value == null) throw new $TypeError(`Cannot destructure '${value}' as it is ${value}.`);
}

function $increment(value) {
  return ++value;
}

function $decrement(value) {
  return --value;
}

function $numeric(value) {
  return value++;
}

function $propertyKey(value) {
  return typeof value === "symbol" ? value : `${value}`;
}

function $without(value, keys) {
  const result = {};
  for (const key of $Reflect.ownKeys($Object(value))) {
    const isExcluded = keys.some((each) => (typeof each === "symbol" ? each : $String(each)) === key);
    if (!isExcluded && $Object.prototype.propertyIsEnumerable.call(value, key)) {
      $Object.defineProperty(result, key, { value: value[key], writable: true, enumerable: true, configurable: true });
    }
  }
  return result;
}

function $defineAll(object, properties) {
  $Object.defineProperties(object, $Object.getOwnPropertyDescriptors(properties));
}

class $Iteration {
  constructor(iterator) {
    this.iterator = iterator;
    this.next = iterator.next;
    this.isDone = false;
  }
  step() {
    if (this.isDone) return $done;
    this.isDone = true;
    const result = $Reflect.apply(this.next, this.iterator, []);
    if ($Object(result) !== result) throw new $TypeError(`Iterator result ${$String(result)} is not an object`);
    if (result.done) return $done;
    const value = result.value;
    this.isDone = false;
    return value;
  }
  value() {
    const value = this.step();
    return value === $done ? undefined : value;
  }
  rest() {
    const values = [];
    for (let value = this.step(); value !== $done; value = this.step()) values.push(value);
    return values;
  }
  close() {
    if (this.isDone) return;
    this.isDone = true;
    const end = this.iterator.return;
    if (end == null) return;
    const result = $Reflect.apply(end, this.iterator, []);
    if ($Object(result) !== result) throw new $TypeError(`${$String(result)} is not an object`);
  }
  closeQuietly() {
    try {
      this.close();
    } catch {}
  }
}

function $iterate(value) {
  const method = value[$Symbol.iterator];
  if (typeof method !== "function") throw new $TypeError(`${typeof value} is not iterable`);
  const iterator = $Reflect.apply(method, value, []);
  if ($Object(iterator) !== iterator) throw new $TypeError("Result of the Symbol.iterator method is not an object");
  return new $Iteration(iterator);
}

function $requireResult(result) {
  if ($Object(result) !== result) throw new $TypeError(`Iterator result ${$String(result)} is not an object`);
}

function $item(result) {
  $requireResult(result);
  return result.done ? $done : result.value;
}

class $Later {
  constructor(iterator) {
    this.iterator = iterator;
    this.method = iterator.next;
  }
  next() {
    return $Reflect.apply(this.method, this.iterator, []);
  }
  return() {
    const end = this.iterator.return;
    return end == null ? $done : $Reflect.apply(end, this.iterator, []);
  }
}

class $Promised extends $Later {
  next() {
    return this.promise(super.next);
  }
  return() {
    return this.promise(super.return);
  }
  promise(method) {
    try {
      const result = $Reflect.apply(method, this, []);
      if (result === $done) return $Promise.resolve({ value: undefined, done: true });
      $requireResult(result);
      const done = $Boolean(result.done);
      return $Promise.resolve(result.value).then((value) => ({ value, done }));
    } catch (error) {
      return $Promise.reject(error);
    }
  }
}

function $iterateLater(value) {
  const method = value[$Symbol.asyncIterator];
  if (method == null) return new $Promised($iterate(value).iterator);
  if (typeof method !== "function") throw new $TypeError(`${typeof value} is not async iterable`);
  const iterator = $Reflect.apply(method, value, []);
  if ($Object(iterator) !== iterator) throw new $TypeError("Result of the Symbol.asyncIterator method is not an object");
  return new $Later(iterator);
}

function* $enumerate(object) {
  for (const key in object) yield key;
}

function $keysOf(object) {
  return new $Iteration($enumerate(object));
}

function $checked(value, name) {
  $check(value, name);
  return value;
}

function $defineAccessor(object, properties) {
  const key = $Reflect.ownKeys(properties)[0];
  const descriptor = $Object.getOwnPropertyDescriptor(properties, key);
  for (const each of ["get", "set"]) if (descriptor[each] === undefined) delete descriptor[each];
  $Object.defineProperty(object, key, descriptor);
}

function $setPrototype(object, properties) {
  $Object.setPrototypeOf(object, $Object.getPrototypeOf(properties));
}

class $Returned {
  constructor(value) {
    this.value = value;
  }
}

class $Suspension {
  [$Symbol.iterator]() {
    return this;
  }
  [$Symbol.asyncIterator]() {
    return this;
  }
}

class $Yield extends $Suspension {
  constructor(value) {
    super();
    this.value = value;
    this.done = false;
  }
  next(sent) {
    const { value, done } = this;
    this.done = true;
    return { value: done ? sent : value, done };
  }
  throw(error) {
    throw error;
  }
  return(value) {
    throw new $Returned(value);
  }
}

class $AsyncYield extends $Yield {
  async return(value) {
    throw new $Returned(await value);
  }
}

function* $delegate(values) {
  return yield* values;
}

class $Delegation extends $Suspension {
  constructor(values) {
    super();
    this.generator = $delegate(values);
  }
  next(sent) {
    return this.generator.next(sent);
  }
  throw(error) {
    return this.generator.throw(error);
  }
  return(value) {
    const result = this.generator.return(value);
    if (result.done) throw new $Returned(result.value);
    return result;
  }
}

async function* $delegateAsync(values) {
  return [yield* values];
}

class $AsyncDelegation extends $Suspension {
  constructor(values) {
    super();
    this.generator = $delegateAsync(values);
  }
  async next(sent) {
    const { value, done } = await this.generator.next(sent);
    return { value: done ? value[0] : value, done };
  }
  async throw(error) {
    const { value, done } = await this.generator.throw(error);
    return { value: done ? value[0] : value, done };
  }
  async return(value) {
    const result = await this.generator.return(value);
    if (result.done) throw new $Returned(result.value);
    return result;
  }
}

class $Again {
  constructor(target, values) {
    this.target = target;
    this.values = values;
  }
}

function $again(target, ...values) {
  return new $Again(target, values);
}

function $loop(target, ...values) {
  let result = target(...values);
  while (result instanceof $Again && result.target === target) result = target(...result.values);
  return result;
}
