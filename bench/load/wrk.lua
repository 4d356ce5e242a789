-- Sends the requests of a file in turn, from a given position on, and prints what it counted. In the file, NUL
-- separates the requests.

local requests = {}
local last = 0

function init(args)
  for request in io.open(args[1], "rb"):read("*a"):gmatch("%Z+") do
    requests[#requests + 1] = request
  end
  last = tonumber(args[2])
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    'tally {"requests":%d,"refused":%d,"broken":%d,"microseconds":%d}\n',
    summary.requests, errors.status, broken, summary.duration
  ))
end
