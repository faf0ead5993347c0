! plain_fortran.f90 - autotune.f90: each feature with a first call and the hit after it, by a clock that only kernels
! move, and the structs of C. With the argument `first` or `second` it is one of two processes that share a cache.
module support
    use autotune
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: error_unit, int8, int16, int32, int64, real32, real64
    implicit none
    public

    interface
        subroutine spend(ns) bind(c, name='test_spend')
            import
            real(c_double), value :: ns
        end subroutine
        function virtual_backend() bind(c, name='test_backend') result(backend)
            import
            type(c_ptr) :: backend
        end function
    end interface

    integer :: launches = 0, setups = 0, verifications = 0
    integer(int64) :: tile_of_setup = 0, tiles_verified = 0, unprepared = 0
    type :: problem
        integer :: best, solved = 0
    end type
    class(*), pointer :: user_of_setup => null()

contains
    ! A check that fails ends the program: what comes after would build on it.
    subroutine check(condition, sentence)
        logical, intent(in) :: condition
        character(*), intent(in) :: sentence
        if (condition) return
        write (error_unit, '(4a)') 'not so: ', sentence, '; last error: ', autotune_last_error()
        error stop 1
    end subroutine

    ! Options with the virtual clock, for a key.
    function with_key(key) result(options)
        integer, intent(in) :: key
        type(autotune_options) :: options
        options%key = autotune_key(key)
        options%backend = virtual_backend()
    end function

    function tiles(values) result(space)
        integer, intent(in) :: values(:)
        type(autotune_space) :: space
        call space%axis('tile', values)
    end function

    ! 3 is the best of the tiles.
    subroutine third_is_best(config)
        type(autotune_config), intent(inout) :: config
        launches = launches + 1
        call spend(merge(1e6_real64, 2e6_real64, config%get_int('tile') == 3))
    end subroutine

    subroutine always_rejects(config)
        type(autotune_config), intent(inout) :: config
        call config%reject('the tile is ' // config%get_label('tile'))
    end subroutine

    subroutine user_knows(config)
        type(autotune_config), intent(inout) :: config
        select type (p => config%user)
        type is (problem)
            p%solved = p%solved + 1
            if (config%get_int('tile') /= tile_of_setup) unprepared = unprepared + 1
            call spend(merge(1e6_real64, 2e6_real64, config%get_int('tile') == p%best))
        class default
            call config%fail('there is no problem')
        end select
    end subroutine

    function at_most_two(config) result(admitted)
        type(autotune_config), intent(in) :: config
        logical :: admitted
        admitted = config%get_int('tile') <= 2
    end function

    function unroll_fits(partial) result(admitted)
        type(autotune_config), intent(in) :: partial
        logical :: admitted
        admitted = partial%get_int('unroll') <= partial%get_int('tile')
    end function

    function unroll_is_tile(config) result(admitted)
        type(autotune_config), intent(in) :: config
        logical :: admitted
        admitted = config%get_int('unroll') == config%get_int('tile')
    end function

    function high_is_cheap(config) result(cost)
        type(autotune_config), intent(in) :: config
        real(real64) :: cost
        cost = -config%get_int('tile')
    end function

    function two_first(config) result(group)
        type(autotune_config), intent(in) :: config
        integer :: group
        group = merge(1, 0, config%get_int('tile') == 2)
    end function

    subroutine count_setup(user, config)
        class(*), pointer, intent(in) :: user
        type(autotune_config), intent(in) :: config
        setups = setups + 1
        user_of_setup => user
        tile_of_setup = config%get_int('tile')
    end subroutine

    function refuse_third(user, config) result(right)
        class(*), pointer, intent(in) :: user
        type(autotune_config), intent(in) :: config
        logical :: right
        verifications = verifications + 1
        right = associated(user) .and. verifications /= 3
        tiles_verified = tiles_verified + config%get_int('tile')
    end function
end module

module features
    use support
    implicit none
    private
    public :: axes_of_each_type, a_call_and_the_hit_after_it, keys_of_each_type, arrays_are_restored
    public :: outputs_are_compared, threads_share_tuners
    public :: buffers_that_are_wrong, options_reach_the_library, spaces_are_filtered, descriptions_that_are_wrong
    public :: configurations_fail, cases_are_queued, steps_are_measured, results_are_saved, kernels_call_tuners
    public :: labels_and_tables

contains

    subroutine a_call_and_the_hit_after_it
        type(autotune_tuner) :: tuner
        type(autotune_result) :: result
        type(autotune_config) :: winner
        integer :: status
        call autotune_create(tuner, 'hit', tiles([1, 2, 3, 4]), status=status)
        call check(status == AUTOTUNE_OK, 'a tuner is made')
        launches = 0
        call autotune_call(tuner, with_key(5), third_is_best, result, status)
        call check(status == AUTOTUNE_OK .and. result%status == AUTOTUNE_OK, 'the call succeeds')
        call check(result%config%get_int('tile') == 3 .and. result%index == 2, 'the best tile wins')
        call check(result%config%get_index() == 2 .and. result%config%text() == 'tile 3', 'the winner has a text')
        call check(result%verdict == AUTOTUNE_SEPARATED .and. .not. result%cache_hit, 'a race was won')
        call check(abs(result%median_ns - 1e6) < 1 .and. abs(result%default_ns - 2e6) < 1, 'times are the clock''s')
        call check(abs(result%lead - 1) < 0.01, 'the lead is that of the clock')
        call check(result%space_size == 4 .and. result%tried == 4 .and. result%failed == 0, 'all were tried')
        call check(result%launches == launches .and. result%seconds > 0, 'launches are counted')
        call check(result%doubt() == '' .and. result%note() == '', 'there is no doubt')
        launches = 0
        call autotune_call(tuner, with_key(5), third_is_best, result)
        call check(launches == 1 .and. result%cache_hit .and. result%launches == 1, 'the next call is a hit')
        call check(result%config%get_int64('tile') == 3, 'a hit calls the winner')
        call autotune_call(tuner, with_key(5), third_is_best, status=status)
        call check(launches == 2 .and. status == AUTOTUNE_OK, 'a hit without a result')
        call autotune_lookup('hit', autotune_key(5_int64), winner, status)
        call check(status == AUTOTUNE_OK .and. winner%get_int('tile') == 3, 'the winner is looked up')
        call autotune_lookup('hit', autotune_key(6), winner, status)
        call check(status == AUTOTUNE_ERR_MISS .and. winner%text() == '', 'another key is not known')
        call autotune_destroy(tuner)
        call autotune_call(tuner, result=result, status=status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'a tuner that is none is refused')
        call check(result%status == AUTOTUNE_ERR_ARGUMENT .and. result%config%text() == '', 'the result says so')
        call check(index(autotune_last_error(), 'tuner is NULL') > 0, 'and the last error says so')
    end subroutine

    subroutine axes_of_each_type
        type(autotune_space) :: space
        type(autotune_tuner) :: tuner
        type(autotune_result) :: result
        integer :: called
        called = 0
        call space%axis('small', [1_int32, 2_int32])
        call space%axis('large', [2_int64**40, 2_int64**41])
        call space%axis('single', [0.5_real32, 0.25_real32])
        call space%axis('double', [0.1_real64, 0.2_real64])
        call space%axis('flag', [.false., .true.])
        call space%axis('order', ['ijk  ', 'ikj  ', 'block'])
        call autotune_create(tuner, 'types', space, kernel)
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%status == AUTOTUNE_OK .and. result%space_size == 96, 'all axes are there')
        call check(result%config%text() == &
            'small 2, large 2199023255552, single 0.25, double 0.2, flag true, order ikj', 'the best of each axis wins')
        called = 0
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%cache_hit .and. called == 1, 'the kernel of autotune_create makes the hit')
        call check(result%config%get_int('order') == 0, 'a string is no integer')
        call check(index(autotune_last_error(), 'order') > 0, 'and the last error says so')
        call autotune_destroy(tuner)
    contains
        subroutine kernel(config)
            type(autotune_config), intent(inout) :: config
            real(real64) :: ns
            called = called + 1
            ns = 1e6
            if (config%get_int('small') /= 2) ns = ns * 1.5
            if (config%get_int64('large') /= 2_int64**41) ns = ns * 1.5
            if (config%get_double('single') > 0.3) ns = ns * 1.5
            if (abs(config%get_double('double') - 0.2_real64) > 1e-15) ns = ns * 1.5
            if (.not. config%get_logical('flag')) ns = ns * 1.5
            if (config%get_string('order') /= 'ikj' .or. len(config%get_string('order')) /= 3) ns = ns * 1.5
            call spend(ns)
        end subroutine
    end subroutine

    ! Calls the tuner until it was called with the key, and once more: whether the key was known before.
    function knows(tuner, key) result(known)
        type(autotune_tuner), intent(in) :: tuner
        type(autotune_key), intent(in) :: key
        logical :: known
        type(autotune_options) :: options
        type(autotune_result) :: first, second
        options%key = key
        options%backend = virtual_backend()
        call autotune_call(tuner, options, third_is_best, first)
        call autotune_call(tuner, options, third_is_best, second)
        call check(first%status == AUTOTUNE_OK .and. second%cache_hit, 'each key is known after its first call')
        known = first%cache_hit
    end function

    subroutine keys_of_each_type
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        integer :: status
        call autotune_create(tuner, 'keys', tiles([1, 3]))
        call check(.not. knows(tuner, autotune_key(1_int8)), 'int8')
        call check(.not. knows(tuner, autotune_key(1_int16)), 'int16')
        call check(.not. knows(tuner, autotune_key(1_int32)), 'int32')
        call check(.not. knows(tuner, autotune_key(1_int64)), 'int64')
        call check(.not. knows(tuner, autotune_key(-1)), 'negative')
        call check(.not. knows(tuner, autotune_key(0.5_real32)), 'real32')
        call check(.not. knows(tuner, autotune_key(0.5_real64)), 'real64')
        call check(.not. knows(tuner, autotune_key(.true.)), 'logical')
        call check(knows(tuner, autotune_key(.true._c_bool)), 'c_bool is the same')
        call check(.not. knows(tuner, autotune_key('upper', 'lower')), 'strings')
        call check(knows(tuner, autotune_key('upper   ', 'lower')), 'blanks at the end do not count')
        call check(.not. knows(tuner, autotune_key('upperlower')), 'strings are parts')
        call check(.not. knows(tuner, autotune_key('')), 'an empty string')
        call check(.not. knows(tuner, autotune_key(1, 2, 'a', 4.0, .false., 6_int64, 'b', 8)), 'eight parts')
        call check(knows(tuner, autotune_key(1, 2, 'a', 4.0, .false., 6_int64, 'b', 8)), 'eight parts again')
        call check(.not. knows(tuner, autotune_key(1, 2, 'a', 4.0, .false., 6_int64, 'c', 8)), 'another of eight parts')
        options%key = autotune_key((1.0, 2.0))
        call autotune_call(tuner, options, third_is_best, status=status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'a complex number is no part of a key')
        call check(index(autotune_last_error(), 'NaN') > 0, 'and the last error says so')
        call check(autotune_anchor(100) == 128 .and. autotune_anchor(100, 10) == 100 .and. &
            autotune_anchor(101, 10) == 1000, 'sizes are anchored')
        call check(autotune_anchor(100_int8) == 128 .and. autotune_anchor(20000_int16) == 32768 .and. &
            autotune_anchor(5000000000_int64) == 2_int64**33, 'sizes of all kinds are anchored')
        call autotune_destroy(tuner)
    end subroutine

    subroutine arrays_are_restored
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        type(autotune_result) :: result
        integer(int32), target :: scalar
        real(real32), target :: line(7)
        real(real64), target :: plane(5, 4), ball(2, 2, 2, 2, 2)
        complex(real64), target :: waves(3, 3)
        logical, target :: flags(6)
        integer(int64), pointer :: section(:, :)
        integer(int64), target :: block(3, 8)
        real(real64), allocatable, target :: none(:)
        integer :: wrong, call_number
        scalar = 1
        line = 1
        plane = 1
        ball = 1
        waves = (1, 2)
        flags = .false.
        block = 1
        section => block(:, 3:6)
        allocate (none(0))
        wrong = 0
        options = with_key(1)
        options%restore = [autotune_buffer(scalar), autotune_buffer(line), autotune_buffer(plane), &
            autotune_buffer(ball), autotune_buffer(waves), autotune_buffer(flags), autotune_buffer(none)]
        options%zero = [autotune_buffer(section)]
        call autotune_create(tuner, 'arrays', tiles([1, 2, 3]), kernel)
        do call_number = 1, 3
            call autotune_call(tuner, options, result=result)
            call check(result%status == AUTOTUNE_OK .and. wrong == 0, 'every trial sees the old content')
            call check(result%cache_hit .eqv. call_number > 1, 'later calls are hits')
            call check(scalar == 1 + call_number .and. all(nint(line) == 1 + call_number), 'one call was made, small')
            call check(all(nint(plane) == 1 + call_number) .and. all(nint(ball) == 1 + call_number), 'of two ranks')
            call check(all(nint(real(waves)) == 1 + call_number) .and. all(nint(aimag(waves)) == 2), 'complex')
            call check(all(flags .eqv. mod(call_number, 2) == 1), 'of logicals')
            call check(all(block(:, 3:6) == 1 + call_number) .and. all(block(:, :2) == 1) .and. &
                all(block(:, 7:) == 1), 'of a section')
        end do
        call autotune_destroy(tuner)
    contains
        subroutine kernel(config)
            type(autotune_config), intent(inout) :: config
            if (.not. result%cache_hit .and. call_number == 1) then
                if (scalar /= 1 .or. any(nint(line) /= 1) .or. any(flags)) wrong = wrong + 1
                if (any(nint(plane) /= 1) .or. any(nint(ball) /= 1) .or. any(nint(real(waves)) /= 1)) wrong = wrong + 1
                if (any(section /= section(1, 1)) .or. section(1, 1) > 1) wrong = wrong + 1
            end if
            scalar = scalar + 1
            line = line + 1
            plane = plane + 1
            ball = ball + 1
            waves = waves + 1
            flags = .not. flags
            section = section + 1
            call spend(1e6_real64 / config%get_int('tile'))
        end subroutine
    end subroutine

    subroutine outputs_are_compared
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        type(autotune_result) :: result
        real(real32), target :: out(10)
        integer(int16), target :: counts(4)
        out = 0
        counts = 0
        options = with_key(1)
        options%outputs = [autotune_buffer(out, tolerance=0.1_real64), autotune_buffer(counts)]
        call autotune_create(tuner, 'outputs', tiles([1, 2, 3, 4]), kernel)
        call autotune_call(tuner, options, result=result)
        call check(result%status == AUTOTUNE_OK .and. result%failed == 2, 'two configurations compute something else')
        call check(result%config%get_int('tile') == 2, 'the tolerance is that of the option')
        call check(all(nint(100 * out) == 105) .and. all(counts == 7), 'the winner has computed')
        call autotune_call(tuner, options, result=result)
        call check(result%cache_hit .and. result%config%get_int('tile') == 2, 'and is known')
        call autotune_destroy(tuner)
    contains
        subroutine kernel(config)
            type(autotune_config), intent(inout) :: config
            integer :: tile
            tile = config%get_int('tile')
            out = merge(1.5, 1 + (tile - 1) * 0.05, tile == 3)
            counts = 7
            if (tile == 4) counts(4) = 8
            call spend(1e6_real64 / tile)
        end subroutine
    end subroutine

    subroutine buffers_that_are_wrong
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        real(real64), target :: plane(4, 4)
        integer :: i, status
        plane = 0
        options = with_key(1)
        call autotune_create(tuner, 'wrong buffers', tiles([1, 3]), third_is_best)
        options%restore = [autotune_buffer(plane(1, :))]
        call autotune_call(tuner, options, status=status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'a section with gaps is refused')
        call check(index(autotune_last_error(), 'buffer 1 of .restore has 0 bytes') > 0, 'and the last error says so')
        options%restore = [(autotune_buffer(plane(:, 1)), i=1, 9)]
        call autotune_call(tuner, options, status=status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'nine buffers are refused')
        call check(index(autotune_last_error(), 'more than 8') > 0, 'and the last error says how many may be')
        options%restore = [autotune_buffer(plane(:, 1)), autotune_buffer(plane(:, 3))]
        call autotune_call(tuner, options, status=status)
        call check(status == AUTOTUNE_OK, 'sections without gaps are buffers')
        call autotune_destroy(tuner)
    end subroutine

    subroutine options_reach_the_library
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        type(autotune_result) :: result
        type(problem), target :: own
        integer :: status
        call autotune_create(tuner, 'options', tiles([1, 2, 3, 4]), third_is_best)
        options = with_key(1)
        options%mode = AUTOTUNE_REQUIRE
        launches = 0
        call autotune_call(tuner, options, result=result, status=status)
        call check(status == AUTOTUNE_ERR_MISS .and. launches == 0, 'REQUIRE calls nothing')
        call check(autotune_status_text(status) == 'no winner is known', 'statuses have texts')
        options%mode = AUTOTUNE_OFF
        call autotune_call(tuner, options, result=result)
        call check(launches == 1 .and. result%verdict == AUTOTUNE_DEFAULT .and. result%index == 0, 'OFF')
        call check(autotune_verdict_text(AUTOTUNE_TIE) == 'a tie', 'verdicts have texts')
        options%mode = AUTOTUNE_ON
        options%max_trials = 2
        options%seed = 7
        call autotune_call(tuner, options, result=result)
        call check(result%tried == 2 .and. result%verdict == AUTOTUNE_UNRESOLVED, 'max_trials')

        options = with_key(2)
        options%name = 'another name'
        call autotune_call(tuner, options, result=result)
        call check(.not. result%cache_hit, 'the name is another tuner')
        call autotune_lookup('another name', options%key, status=status)
        call check(status == AUTOTUNE_OK, 'which is known by it')
        options%version = 'second'
        call autotune_call(tuner, options, result=result)
        call check(.not. result%cache_hit, 'so is the version')
        call autotune_call(tuner, options, result=result)
        call check(result%cache_hit, 'of which the next call is a hit')
        call autotune_lookup('another name', options%key, status=status)
        call check(status == AUTOTUNE_ERR_AMBIGUOUS, 'two tuners of a name')

        options = with_key(3)
        options%mode = 99
        call autotune_call(tuner, options, status=status)
        call check(status == AUTOTUNE_ERR_ARGUMENT .and. index(autotune_last_error(), '.mode is 99') > 0, 'wrong mode')

        options = with_key(4)
        own%best = 2
        options%user => own
        options%setup => count_setup
        options%verify => refuse_third
        options%strategy = AUTOTUNE_EXHAUSTIVE
        setups = 0
        verifications = 0
        call autotune_call(tuner, options, user_knows, result)
        call check(result%config%get_int('tile') == 2 .and. own%solved == result%launches, 'the kernel gets user')
        call check(verifications == 4 .and. result%failed == 1, 'verify is asked once for each configuration')
        call check(setups == result%launches - 1, 'setup is called before each trial')
        call check(associated(user_of_setup), 'and gets user')
        call check(unprepared <= 1, 'and the configuration of the launch, but for that of the call')
        call check(tiles_verified == 10, 'so does verify')
        setups = 0
        call autotune_call(tuner, options, user_knows, result)
        call check(result%cache_hit .and. setups == 0 .and. verifications == 4, 'a hit calls neither')
        nullify (options%user)
        call autotune_call(tuner, options, user_knows, status=status)
        call check(status == AUTOTUNE_FAILED, 'without user the kernel of a hit fails')
        call autotune_destroy(tuner)
    end subroutine

    subroutine spaces_are_filtered
        type(autotune_space) :: space
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        type(autotune_result) :: result
        call space%axis('tile', [1, 2, 3, 4], where=at_most_two)
        call space%axis('unroll', [1, 2, 4], where=unroll_fits)
        call space%where(unroll_is_tile)
        call autotune_create(tuner, 'filters', space, third_is_best)
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%space_size == 2, 'all filters are asked')
        call autotune_destroy(tuner)

        space = tiles([1, 2, 3, 4])
        call space%model(high_is_cheap)
        call autotune_create(tuner, 'model', space, third_is_best)
        options = with_key(1)
        options%top_k = 1
        call autotune_call(tuner, options, result=result)
        call check(result%tried == 1 .and. result%config%get_int('tile') == 4, 'the cheapest is tried')
        call autotune_destroy(tuner)

        space = tiles([1, 2, 3, 4])
        call space%priority(two_first)
        call autotune_create(tuner, 'priority', space, third_is_best)
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%tried == 1 .and. result%config%get_int('tile') == 2, 'the highest group is raced')
        call autotune_destroy(tuner)
    end subroutine

    subroutine labels_and_tables
        type(autotune_space) :: space, table
        type(autotune_tuner) :: tuner
        type(autotune_result) :: result
        integer :: status
        call space%axis('tile', [1, 3], labels=['one  ', 'three'])
        call autotune_create(tuner, 'labels', space, third_is_best)
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%config%get_label('tile') == 'three' .and. result%config%text() == 'tile three', 'labels')
        call autotune_destroy(tuner)

        call table%configs(['tile  ', 'unroll'], reshape([1, 1, 3, 2, 4, 4], [2, 3]))
        call autotune_create(tuner, 'table', table, third_is_best)
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%space_size == 3 .and. result%config%text() == 'tile 3, unroll 2', 'a table is a space')
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%cache_hit .and. result%config%get_int('unroll') == 2, 'of which the winner is known')
        call autotune_destroy(tuner)

        call space%axis('unroll', [1, 2, 4], labels=['one', 'two'])
        call autotune_create(tuner, 'too few labels', space, third_is_best, status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'a label is missing')
        call check(index(autotune_last_error(), "label 3 of axis 'unroll'") > 0, 'and the last error says which')
    end subroutine

    subroutine descriptions_that_are_wrong
        type(autotune_space) :: space
        type(autotune_tuner) :: tuner
        integer :: i, status
        call autotune_create(tuner, 'nothing', space, third_is_best, status)
        call check(status == AUTOTUNE_ERR_ARGUMENT .and. index(autotune_last_error(), 'no axes') > 0, 'no axes')
        call space%configs(['a', 'b'], reshape([1, 2, 3], [3, 1]))
        call autotune_create(tuner, 'table', space, third_is_best, status)
        call check(status == AUTOTUNE_ERR_ARGUMENT .and. index(autotune_last_error(), 'config_count is 0') > 0, &
            'a table with rows of another length')
        space = tiles([1, 2])
        do i = 1, 16
            call space%axis('axis ' // achar(64 + i), [1])
        end do
        call autotune_create(tuner, 'seventeen', space, third_is_best, status)
        call check(status == AUTOTUNE_ERR_ARGUMENT .and. index(autotune_last_error(), '17 axes') > 0, '17 axes')
        space = tiles([1, 2])
        call space%axis('tile', [1])
        call autotune_create(tuner, 'twice', space, third_is_best, status)
        call check(status == AUTOTUNE_ERR_ARGUMENT .and. index(autotune_last_error(), "named 'tile'") > 0, 'twice')
        call autotune_create(tuner, '', tiles([1]), third_is_best, status)
        call check(status == AUTOTUNE_ERR_ARGUMENT .and. index(autotune_last_error(), 'no name') > 0, 'no name')
        call autotune_create(tuner, 'no kernel', tiles([1, 2]), status=status)
        call check(status == AUTOTUNE_OK, 'the kernel may come with the call')
        call autotune_call(tuner, with_key(1), status=status)
        call check(status == AUTOTUNE_ERR_ALL_FAILED, 'but it has to come')
        call check(index(autotune_last_error(), 'there is no kernel') > 0, 'and the last error says so')
        call autotune_destroy(tuner)
    end subroutine

    subroutine configurations_fail
        type(autotune_tuner) :: tuner
        type(autotune_result) :: result
        integer :: status
        call autotune_create(tuner, 'failures', tiles([1, 2, 3]))
        call autotune_call(tuner, with_key(1), always_rejects, result, status)
        call check(status == AUTOTUNE_ERR_ALL_FAILED .and. result%failed == 3, 'all reject themselves')
        call check(index(autotune_last_error(), 'the tile is') > 0, 'the reason is told')
        call autotune_call(tuner, with_key(2), two_fails, result)
        call check(result%status == AUTOTUNE_OK .and. result%failed == 1, 'one fails')
        call check(result%config%get_int('tile') == 3, 'the others race')
        call autotune_call(tuner, with_key(2), always_rejects, result, status)
        call check(status == AUTOTUNE_REJECTED .and. result%status == AUTOTUNE_REJECTED, 'a hit may fail')
        call autotune_call(tuner, with_key(2), two_fails, result)
        call check(.not. result%cache_hit .and. result%status == AUTOTUNE_OK, 'then the next call tunes again')
        call autotune_destroy(tuner)
    contains
        subroutine two_fails(config)
            type(autotune_config), intent(inout) :: config
            if (config%get_int('tile') == 2) call config%fail('2 % of 100')
            call spend(1e6_real64 / config%get_int('tile'))
        end subroutine
    end subroutine

    subroutine cases_are_queued
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        type(autotune_result) :: result
        type(autotune_config) :: winner
        type(problem), target :: problems(3)
        integer :: i, status
        call autotune_create(tuner, 'queue', tiles([1, 2, 3]))
        do i = 1, 3
            problems(i)%best = i
            options = with_key(i)
            options%user => problems(i)
            call autotune_add(tuner, options, user_knows, status)
            call check(status == AUTOTUNE_OK .and. problems(i)%solved == 0, 'a case is queued')
        end do
        call autotune_tune_all(status)
        call check(status == AUTOTUNE_OK, 'all cases are tuned')
        do i = 1, 3
            call autotune_lookup('queue', autotune_key(i), winner, status)
            call check(status == AUTOTUNE_OK .and. winner%get_int('tile') == i, 'each with its own user')
        end do
        call autotune_tune(tuner, with_key(4), third_is_best, result, status)
        call check(status == AUTOTUNE_OK .and. result%config%get_int('tile') == 3, 'autotune_tune tunes at once')
        options%mode = 99
        call autotune_add(tuner, options, user_knows, status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'a wrong case is not queued')
        options = with_key(5)
        call autotune_add(tuner, options, third_is_best, status)
        call autotune_destroy(tuner)
        launches = 0
        call autotune_tune_all(status)
        call check(status == AUTOTUNE_OK .and. launches == 0, 'cases end with their tuner')
    end subroutine

    subroutine steps_are_measured
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        type(autotune_result) :: result
        type(autotune_step) :: step
        type(problem), target :: own
        integer :: i, status
        call autotune_create(tuner, 'steps', tiles([1, 2, 3]))
        options = with_key(1)
        options%user => own
        options%verify => refuse_third
        verifications = 10
        do i = 1, 10000
            call autotune_step_begin(tuner, options, step, result, status)
            call check(status == AUTOTUNE_OK .and. associated(step%config%user), 'a step begins')
            if (result%verdict /= AUTOTUNE_ONGOING) exit
            if (mod(i, 2) == 0) then
                call spend(merge(1e6_real64, 2e6_real64, step%config%get_int('tile') == 3))
                call autotune_step_end(step, status=status)
            else
                call autotune_step_end(step, merge(1e6_real64, 2e6_real64, step%config%get_int('tile') == 3), status)
            end if
            call check(status == AUTOTUNE_OK, 'a step ends')
            call autotune_step_end(step, status=status)
            call check(status == AUTOTUNE_ERR_ARGUMENT, 'and does so once')
        end do
        call autotune_step_end(step)
        call check(i < 10000 .and. result%config%get_int('tile') == 3, 'the steps find the winner')
        call check(verifications == 13, 'verify is asked after the first step of each configuration')
        launches = 0
        call autotune_call(tuner, options, third_is_best, result)
        call check(result%cache_hit .and. launches == 1, 'which calls know')
        options = with_key(2)
        call autotune_step_begin(tuner, options, step, status=status)
        call autotune_step_end(step, -1._real64, status)
        call check(status == AUTOTUNE_FAILED, 'a step may fail')
        call begin_wrongly                      ! the address sanitizer sees what is not freed
        call autotune_step_begin(tuner, options, step, status=status)
        call autotune_destroy(tuner)
        call autotune_step_end(step, status=status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'steps end with their tuner')
    contains
        subroutine begin_wrongly
            type(autotune_options) :: wrong
            type(autotune_step) :: never_ended
            wrong%mode = 77
            call autotune_step_begin(tuner, wrong, never_ended, status=status)
            call check(status /= AUTOTUNE_OK, 'a step does not begin with wrong options')
        end subroutine
    end subroutine

    subroutine results_are_saved
        type(autotune_tuner) :: tuner
        type(autotune_result) :: result
        integer :: status, unit
        character(*), parameter :: path = 'plain_fortran.jsonl'
        call autotune_create(tuner, 'saved', tiles([1, 2, 3, 4]), third_is_best)
        call autotune_call(tuner, with_key(1))
        call autotune_save(path, status)
        call check(status == AUTOTUNE_OK, 'results are saved')
        call autotune_clear('saved', autotune_key(1), status=status)
        call check(status == AUTOTUNE_OK, 'and forgotten')
        call check(autotune_open_keys() > 0, 'so that the key is open')
        call autotune_lookup('saved', autotune_key(1), status=status)
        call check(status == AUTOTUNE_ERR_MISS, 'so that nobody knows them')
        call autotune_load(path, status)
        call check(status == AUTOTUNE_OK, 'and loaded')
        call autotune_call(tuner, with_key(1), result=result)
        call check(result%cache_hit .and. result%config%get_int('tile') == 3, 'so that they answer')
        call autotune_clear(where=7, status=status)
        call check(status == AUTOTUNE_ERR_ARGUMENT, 'a wrong place to clear')
        open (newunit=unit, file=path)
        close (unit, status='delete')
        call autotune_load(path, status)
        call check(status == AUTOTUNE_ERR_FILE, 'a file that is not there')
        call autotune_destroy(tuner)
    end subroutine

    ! With OpenMP; without it one thread does the same.
    subroutine threads_share_tuners
        type(autotune_tuner) :: tuner
        integer :: i, wrong
        wrong = 0
        call autotune_create(tuner, 'threads', tiles([1, 2]), waits)
        !$omp parallel do num_threads(4) schedule(static, 1) reduction(+: wrong)
        do i = 1, 16
            if (.not. thread_gets_winner(tuner, mod(i, 3))) wrong = wrong + 1
        end do
        !$omp end parallel do
        call check(wrong == 0, 'threads get the same winners')
        call autotune_destroy(tuner)
    end subroutine

    recursive function thread_gets_winner(tuner, number) result(right)
        type(autotune_tuner), intent(in) :: tuner
        integer, intent(in) :: number
        logical :: right
        type(autotune_result) :: tuned, called
        type(autotune_options) :: options
        options%key = autotune_key(number, 'a string')
        options%preset = AUTOTUNE_FAST
        call autotune_tune(tuner, options, result=tuned)
        call autotune_call(tuner, options, result=called)
        right = tuned%status == AUTOTUNE_OK .and. tuned%config%get_int('tile') == 1 .and. called%cache_hit .and. &
            called%launches == 1 .and. called%config%get_int('tile') == 1
    end function

    ! By the true clock: a tile of 2 takes a hundred times as long.
    subroutine waits(config)
        type(autotune_config), intent(inout) :: config
        real(real64) :: sum
        integer :: i
        sum = 0
        do i = 1, merge(1000000, 10000, config%get_int('tile') == 2)
            sum = sum + sqrt(real(i, real64))
        end do
        if (sum < 0) call config%fail('no sum')
    end subroutine

    subroutine kernels_call_tuners
        type(autotune_tuner) :: outer, inner
        type(autotune_result) :: result
        call autotune_create(outer, 'outer', tiles([1, 2, 3]))
        call autotune_create(inner, 'inner', tiles([1, 2, 3]))
        call autotune_call(outer, with_key(1), calls_inner, result)
        call check(result%status == AUTOTUNE_OK .and. result%config%get_int('tile') == 2, 'a kernel calls a tuner')
        call autotune_destroy(outer)
        call autotune_destroy(inner)
    contains
        recursive subroutine calls_inner(config)
            type(autotune_config), intent(inout) :: config
            call autotune_call(inner, with_key(1), third_is_best)
            call spend(merge(1e6_real64, 5e6_real64, config%get_int('tile') == 2))
        end subroutine
    end subroutine
end module

module layout
    use autotune_c
    use support, only: check
    implicit none
    private
    public :: structs_are_those_of_c

    interface
        function test_offsets(which, count) bind(c) result(offsets)
            import
            integer(c_int), value :: which
            integer(c_size_t), intent(out) :: count
            type(c_ptr) :: offsets
        end function
    end interface

contains

    subroutine compare(which, name, bytes, base, members)
        integer, intent(in) :: which
        character(*), intent(in) :: name
        integer(c_size_t), intent(in) :: bytes
        type(c_ptr), intent(in) :: base, members(:)
        integer(c_size_t), pointer :: of_c(:)
        integer(c_size_t) :: count
        integer :: i
        character(20) :: number
        type(c_ptr) :: offsets
        offsets = test_offsets(int(which, c_int), count)
        call c_f_pointer(offsets, of_c, [count])
        call check(count == size(members) + 1, name // ' has as many members as in C')
        call check(of_c(1) == bytes, name // ' has the size that C knows')
        do i = 1, size(members)
            write (number, '(i0)') i
            call check(of_c(i + 1) == transfer(members(i), 1_c_intptr_t) - transfer(base, 1_c_intptr_t), &
                name // ' has member ' // trim(number) // ' where C has it')
        end do
    end subroutine

    subroutine structs_are_those_of_c
        type(c_key), target :: k
        type(c_buffer), target :: b
        type(c_buffers), target :: l
        type(c_config), target :: c
        type(c_result), target :: r
        type(c_options), target :: o
        type(c_axis), target :: a
        type(c_desc), target :: d
        type(c_step), target :: s
        call compare(0, 'c_key', c_sizeof(k), c_loc(k), [c_loc(k%count), c_loc(k%types), c_loc(k%word), c_loc(k%text)])
        call compare(1, 'c_buffer', c_sizeof(b), c_loc(b), &
            [c_loc(b%memory), c_loc(b%bytes), c_loc(b%type), c_loc(b%tolerance)])
        call compare(2, 'c_buffers', c_sizeof(l), c_loc(l), [c_loc(l%at), c_loc(l%count)])
        call compare(3, 'c_config', c_sizeof(c), c_loc(c), [c_loc(c%index), c_loc(c%count), c_loc(c%names), &
            c_loc(c%labels), c_loc(c%types), c_loc(c%values)])
        call compare(4, 'c_result', c_sizeof(r), c_loc(r), [c_loc(r%status), c_loc(r%verdict), c_loc(r%cache_hit), &
            c_loc(r%index), c_loc(r%median_ns), c_loc(r%min_ns), c_loc(r%runner_up_ns), c_loc(r%default_ns), &
            c_loc(r%slowest_ns), c_loc(r%lead), c_loc(r%lead_low), c_loc(r%lead_high), c_loc(r%doubt), c_loc(r%note), &
            c_loc(r%space_size), c_loc(r%refused), c_loc(r%tried), c_loc(r%failed), c_loc(r%launches), &
            c_loc(r%seconds), c_loc(r%loss_seconds), c_loc(r%guessed_from), c_loc(r%in_use_ns), c_loc(r%config)])
        call compare(5, 'c_options', c_sizeof(o), c_loc(o), [c_loc(o%first), c_loc(o%second), c_loc(o%key), &
            c_loc(o%name), c_loc(o%version), c_loc(o%mode), c_loc(o%preset), c_loc(o%strategy), c_loc(o%cache_state), &
            c_loc(o%launch_timeout), c_loc(o%compile_threads), c_loc(o%compile_timeout), c_loc(o%max_seconds), &
            c_loc(o%max_loss), c_loc(o%work), c_loc(o%watch), c_loc(o%margin), c_loc(o%max_trials), &
            c_loc(o%top_k), c_loc(o%seed), c_loc(o%stop_at_ns), c_loc(o%restore), c_loc(o%zero), c_loc(o%outputs), &
            c_loc(o%setup), c_loc(o%verify), c_loc(o%user), c_loc(o%backend), c_loc(o%ranks), &
            c_loc(o%agree), c_loc(o%first_rank), c_loc(o%cache), c_loc(o%unseen), c_loc(o%isolate), &
            c_loc(o%result), c_loc(o%place)])
        call compare(6, 'c_axis', c_sizeof(a), c_loc(a), [c_loc(a%name), c_loc(a%values), c_loc(a%count), &
            c_loc(a%type), c_loc(a%labels), c_loc(a%where)])
        call compare(7, 'c_desc', c_sizeof(d), c_loc(d), [c_loc(d%name), c_loc(d%axes), c_loc(d%axis_count), &
            c_loc(d%configs), c_loc(d%config_count), c_loc(d%where), c_loc(d%model), c_loc(d%priority), &
            c_loc(d%launch), c_loc(d%user)])
        call compare(8, 'c_step', c_sizeof(s), c_loc(s), [c_loc(s%config), c_loc(s%ticket), c_loc(s%key)])
    end subroutine
end module

module constants
    use autotune
    use support, only: check
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: constants_are_those_of_c

    interface
        function test_constants(count) bind(c) result(values)
            import
            integer(c_size_t), intent(out) :: count
            type(c_ptr) :: values
        end function
    end interface

contains

    subroutine constants_are_those_of_c
        integer(c_int), pointer :: of_c(:)
        integer(c_size_t) :: count
        type(c_ptr) :: values
        values = test_constants(count)
        call c_f_pointer(values, of_c, [count])
        call check(all([AUTOTUNE_OK, AUTOTUNE_FAILED, AUTOTUNE_REJECTED, AUTOTUNE_ERR_ARGUMENT, AUTOTUNE_ERR_SPACE, &
            AUTOTUNE_ERR_ALL_FAILED, AUTOTUNE_ERR_MISS, AUTOTUNE_ERR_AMBIGUOUS, AUTOTUNE_ERR_MEMORY, &
            AUTOTUNE_ERR_LEFT, AUTOTUNE_ERR_DEVICE, AUTOTUNE_ERR_ENVIRONMENT, AUTOTUNE_ERR_FILE, AUTOTUNE_ERR_FILE, &
            AUTOTUNE_DEFAULT, AUTOTUNE_SINGLE, AUTOTUNE_SEPARATED, AUTOTUNE_TIE, AUTOTUNE_UNRESOLVED, &
            AUTOTUNE_UNRELIABLE, AUTOTUNE_ONGOING, AUTOTUNE_PINNED, AUTOTUNE_GUESSED, &
            AUTOTUNE_ON, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE, AUTOTUNE_ONLINE, AUTOTUNE_OFF, AUTOTUNE_FORCE, &
            AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH, &
            AUTOTUNE_AUTO, AUTOTUNE_EXHAUSTIVE, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE, &
            AUTOTUNE_CACHE_STATE_DEFAULT, AUTOTUNE_HOT, AUTOTUNE_COLD, &
            AUTOTUNE_TOGETHER, AUTOTUNE_FIRST, AUTOTUNE_DIVIDED, &
            AUTOTUNE_CACHE_ON, AUTOTUNE_CACHE_OFF, AUTOTUNE_CACHE_READONLY, &
            AUTOTUNE_RACE, AUTOTUNE_GUESS, AUTOTUNE_IN_PROCESS, AUTOTUNE_CHILD, &
            AUTOTUNE_MEMORY, AUTOTUNE_DISK, &
            AUTOTUNE_MAX_KEY, AUTOTUNE_MAX_AXES, AUTOTUNE_MAX_BUFFERS] == of_c), 'constants have the values of C')
    end subroutine
end module

program plain_fortran
    use support
    use features
    use layout
    use constants
    implicit none
    character(10) :: argument
    integer :: status
    call get_command_argument(1, argument)
    if (argument == '') then
        call structs_are_those_of_c
        call constants_are_those_of_c
        call a_call_and_the_hit_after_it
        call axes_of_each_type
        call keys_of_each_type
        call arrays_are_restored
        call outputs_are_compared
        call buffers_that_are_wrong
        call options_reach_the_library
        call spaces_are_filtered
        call labels_and_tables
        call descriptions_that_are_wrong
        call configurations_fail
        call cases_are_queued
        call steps_are_measured
        call results_are_saved
        call kernels_call_tuners
        call threads_share_tuners
    else
        call one_of_two_processes(argument == 'second')
    end if
    call autotune_shutdown(status)
    call check(autotune_open_keys() == 0_int64, 'nothing is open')
    call check(status == AUTOTUNE_OK, 'all memory is freed')

contains

    subroutine one_of_two_processes(is_second)
        logical, intent(in) :: is_second
        type(autotune_tuner) :: tuner
        type(autotune_options) :: options
        type(autotune_result) :: result
        call autotune_create(tuner, 'processes', tiles([1, 2, 3]), third_is_best)
        options = with_key(1)
        options%key = autotune_key('a string', 8, 0.5)
        call autotune_call(tuner, options, result=result)
        call check(result%cache_hit .eqv. is_second, 'the second process knows the winner')
        call check(result%config%get_int('tile') == 3, 'and it is that of the first')
        call autotune_destroy(tuner)
    end subroutine
end program
