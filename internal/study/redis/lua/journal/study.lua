-- A study: whether it is there, who holds its tasks, and what is booked and held back of its budget.
local missing = '{"state":"missing"}'
local restarted = '{"state":"restarted"}'

local function exists()
  return call('EXISTS', key('log')) == 1
end

local function server()
  return string.match(call('INFO', 'server'), 'run_id:(%w+)')
end

-- After a restart the end of the log may be lost: nothing goes on until it has been compared with its mirror.
local function confirmed()
  return call('HGET', key('meta'), 'server') == server()
end

-- Appends lines as they are and returns the last number.
local function push(batch)
  local last = call('XLEN', key('log'))
  if last == 0 then begun = true end
  for _, line in ipairs(batch) do
    last = last + 1
    local id = string.format('%d-0', last)
    local ts = string.format('%d', line.ts or now)
    if line.key then
      call('HSET', key('memo'), line.key, last)
      call('XADD', key('log'), id, 'ts', ts, 'kind', line.kind, 'data', line.data, 'key', line.key)
    else
      call('XADD', key('log'), id, 'ts', ts, 'kind', line.kind, 'data', line.data)
    end
  end
  call('PUBLISH', key('news'), last)
  return last
end

local function task(id)
  return load('task', id) or { epoch = 0, untilMs = 0, enqueued = 0, ended = false }
end

-- The lease of a claim that is still the task's newest, or false. An ended lease that no worker has taken since
-- counts as held.
local function holds(fence)
  local lease = task(fence.task)
  return lease.epoch == fence.epoch and lease.owner == fence.owner and lease
end

-- Reservations end with the lease; they stay known, because the reply may still come and has to be booked.
local function free(id)
  local all = call('HGETALL', key('hold'))
  for i = 1, #all, 2 do
    local held = cjson.decode(all[i + 1])
    if held.task == id and held.live then
      held.live = false
      store('hold', all[i], held)
    end
  end
end

local function booked(id)
  return load('budget', 'account ' .. id) or { tokens = 0, usd = 0, over_tokens = 0, over_usd = 0 }
end

-- All reservations of the study.
local function holdings()
  local all = {}
  for i, text in ipairs(call('HVALS', key('hold'))) do all[i] = cjson.decode(text) end
  return all
end

local function reserved(id, all)
  local reserved = { tokens = 0, usd = 0 }
  for _, held in ipairs(all) do
    if held.live and (id == '' or held.task == id) then
      reserved.tokens = reserved.tokens + held.tokens
      reserved.usd = reserved.usd + held.usd
    end
  end
  return reserved
end

-- Books what was used; what nothing was held back for counts as overrun. Once for each reservation.
local function settle(reservation, used)
  local held = load('hold', reservation)
  if not held then return end
  call('HDEL', key('hold'), reservation)
  for _, id in ipairs({ '', held.task }) do
    local account = booked(id)
    for _, what in ipairs({ 'tokens', 'usd' }) do
      account[what] = account[what] + used[what]
      local over = 'over_' .. what
      account[over] = account[over] + math.max(0, used[what] - (held.live and held[what] or 0))
    end
    store('budget', 'account ' .. id, account)
  end
end
